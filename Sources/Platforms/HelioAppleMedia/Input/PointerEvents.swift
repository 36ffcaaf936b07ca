/// Posts input events to the system: a shim over `CGEvent`.
package protocol PointerEvents: AnyObject {
    /// The pointer's present position; `nil` if it is unknown.
    var pointer: DesktopPoint? { get }
    /// Returns the displays' frames in points, to bound relative moves.
    func displays() -> [FrameRect]
    func post(_ event: MacPointerEvent)
    /// Posts a key event.
    ///
    /// - Parameter flags: the bits of `CGEventFlags`.
    func postKey(_ keycode: UInt16, isDown: Bool, flags: UInt64)
    /// Posts a change of modifier flags.
    ///
    /// - Parameter keycode: the key code of the changed modifier.
    func postFlags(_ keycode: UInt16, flags: UInt64)
    /// Posts a key's press again and again, as the user has set delay and rate, until `stopRepeating`. Another key
    /// replaces it.
    func repeatKey(_ keycode: UInt16, flags: UInt64)
    func stopRepeating()
    /// Scrolls by pixels; as in macOS, positive y is up and positive x is left.
    func postScroll(x: Int32, y: Int32, flags: UInt64)
    /// Types at most 20 UTF-16 code units, without a key code.
    func postText(_ units: [UInt16])
}
