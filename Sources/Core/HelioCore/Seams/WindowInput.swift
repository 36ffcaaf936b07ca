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
    /// A press of the key with this usage, which makes this character here, without autorepeat; `key` releases it.
    case character(Unicode.Scalar, usage: UInt16)
    /// Text that no single key made, or that a program typed by keys that no keyboard has.
    case text(String)
    /// This machine's locks: when the window gets the keyboard, and as they change while it has it.
    case locks(LockState)
    case focusGained
    /// Comes after the ups of all keys and buttons that were down.
    case focusLost
}
