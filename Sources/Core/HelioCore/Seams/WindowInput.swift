/// Input of the person at a window, to be sent to the host.
package enum WindowInput: Sendable, Hashable {
    /// The pointer's position, as a fraction of the picture: 0 ..< 1 from left and from top, at the middle of the
    /// window's pixel. The host's pixel is `Int(x * width)`.
    case pointerMoved(x: Double, y: Double)
    /// The pointer's movement in counts while it is locked.
    case pointerMovedBy(dx: Int, dy: Int)
    case button(PointerButton, isDown: Bool)
    /// A finger or pen on the picture, at a position as in `pointerMoved`; pressure is 0 ... 1. A touch begins with
    /// `down` and ends with `up` or `cancelled`; touches do not overlap.
    case touch(WindowTouchPhase, x: Double, y: Double, pressure: Double)
    /// A scroll, in detents times 120; positive y is up, positive x right.
    case scrolled(dx: Int, dy: Int)
    /// A key by its position, as USB HID usage (page 7), without autorepeat. `modifiers` is the first byte of a boot
    /// keyboard's report: bits 0...3 are left Ctrl, Shift, Alt, GUI; 4...7 the right ones.
    case key(usage: UInt16, modifiers: UInt8, isDown: Bool)
    /// A press of the key with this usage, which produces this character in this machine's layout, without autorepeat;
    /// `key` releases it.
    case character(Unicode.Scalar, usage: UInt16)
    /// Text that no single key produced, or that a program typed with keys that no keyboard has.
    case text(String)
    /// This machine's lock states: when the window gets the keyboard focus, and when they change while it has the
    /// focus.
    case locks(LockState)
    case focusGained
    /// The window lost the focus. Follows the releases of all pressed keys and buttons.
    case focusLost
}
