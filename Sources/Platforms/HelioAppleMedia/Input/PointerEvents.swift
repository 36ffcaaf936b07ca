/// The system's input events: a shim over `CGEvent`.
package protocol PointerEvents: AnyObject {
    /// The pointer's place now; `nil` where it can't be known.
    var pointer: DesktopPoint? { get }
    /// The displays, for the bounds of relative moves.
    func displays() -> [FrameRect]
    func post(_ event: MacPointerEvent)
    /// - Parameter flags: of `CGEventFlags`.
    func postKey(_ keycode: UInt16, isDown: Bool, flags: UInt64)
    /// Tells of modifier flags: `keycode` is that of the modifier that changed.
    func postFlags(_ keycode: UInt16, flags: UInt64)
    /// Scrolls by pixels; positive y is up, positive x left, as macOS counts.
    func postScroll(x: Int32, y: Int32, flags: UInt64)
    /// Types at most 20 UTF-16 units, without a key.
    func postText(_ units: [UInt16])
}
