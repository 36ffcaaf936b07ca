/// The system's pointer: a shim over `NSCursor` and `CGEvent`.
package protocol CursorReading: AnyObject {
    /// Its place on the desktop; `nil` where it can't be known.
    var place: DesktopPoint? { get }
    /// Its shape; `nil` where it has none or it can't be known.
    func image() -> CursorImage?
}
