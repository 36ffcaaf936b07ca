/// Input meant for the host.
package enum WindowInput: Sendable, Hashable {
    /// The pointer, as a fraction of the picture: 0 ..< 1 from left and from top, at the middle of the window's
    /// pixel. The host's pixel is `Int(x * width)`.
    case pointerMoved(x: Double, y: Double)
    /// The pointer's movement in counts, while it is locked.
    case pointerMovedBy(dx: Int, dy: Int)
    case button(PointerButton, isDown: Bool)
    /// One finger or pen on the picture, at a fraction of it as above; pressure is 0 ... 1. A touch begins with `down` and
    /// ends with `up` or `cancelled`; one at a time.
    case touch(WindowTouchPhase, x: Double, y: Double, pressure: Double)
    /// Detents times 120; positive y is up, positive x right.
    case scrolled(dx: Int, dy: Int)
    /// A key by its place, USB HID usage (page 7), without autorepeat. `modifiers` as the first byte of a
    /// boot keyboard's report: bits 0...3 left Ctrl, Shift, Alt, GUI; 4...7 the right ones.
    case key(usage: UInt16, modifiers: UInt8, isDown: Bool)
    /// Text that was typed or composed, in text mode.
    case text(String)
    case focusGained
    /// Comes after the ups of all keys and buttons that were down.
    case focusLost
}
