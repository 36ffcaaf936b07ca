/// The system's pointer: a shim over `NSCursor` and `CGEvent`.
package protocol CursorReading: AnyObject {
    /// The pointer's place on the desktop; `nil` if it is unknown.
    var place: DesktopPoint? { get }
    /// Reads the pointer's shape; `nil` if there is none, or it is unknown.
    func image() -> CursorImage?
}
