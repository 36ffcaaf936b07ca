/// The system's input events: a shim over `CGEvent`.
package protocol PointerEvents: AnyObject {
    /// The pointer's present place; `nil` if it is unknown.
    var pointer: DesktopPoint? { get }
    /// The displays, for the bounds of relative moves.
    func displays() -> [FrameRect]
    func post(_ event: MacPointerEvent)
    /// - Parameter flags: the bits of `CGEventFlags`.
    func postKey(_ keycode: UInt16, isDown: Bool, flags: UInt64)
    /// Posts a change of modifier flags: `keycode` is that of the modifier that changed.
    func postFlags(_ keycode: UInt16, flags: UInt64)
    /// Scrolls by pixels; positive y is up, positive x left, as macOS counts.
    func postScroll(x: Int32, y: Int32, flags: UInt64)
    /// Types at most 20 UTF-16 units, without a key.
    func postText(_ units: [UInt16])
}
