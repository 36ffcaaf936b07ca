/// User input in a window, to be sent to the host.
package enum WindowInput: Sendable, Hashable {
    /// The pointer's position, as a fraction of the picture: 0 ..< 1 from left and from top, at the middle of the
    /// window's pixel. The host's pixel is `Int(x * width)`.
    case pointerMoved(x: Double, y: Double)
    /// The pointer's movement in mouse counts, while the pointer is locked.
    case pointerMovedBy(dx: Int, dy: Int)
    case button(PointerButton, isDown: Bool)
    /// A finger or pen on the picture, at a position as in `pointerMoved`; pressure is 0 ... 1. A touch begins with
    /// `down` and ends with `up` or `cancelled`; touches do not overlap.
    case touch(WindowTouchPhase, x: Double, y: Double, pressure: Double)
    /// A scroll in 1/120 of a wheel detent; positive y is up, positive x right.
    case scrolled(dx: Int, dy: Int)
    /// A key by its position, as USB HID usage (page 7), without autorepeat. `modifiers` is the first byte of a boot
    /// keyboard's report: bits 0...3 are left Ctrl, Shift, Alt, GUI; 4...7 the right ones.
    case key(usage: UInt16, modifiers: UInt8, isDown: Bool)
    /// A press of the key with this USB HID usage, which produces this character in this machine's layout, without
    /// autorepeat. A `key` event releases the key.
    case character(Unicode.Scalar, usage: UInt16)
    /// Text that no single key press has produced: from an input method, or from a program that types with synthetic
    /// keys.
    case text(String)
    /// This machine's lock states, reported when the window gets the keyboard focus, and when they change while it has
    /// the focus.
    case locks(LockState)
    case focusGained
    /// The window lost the focus. The releases of all pressed keys and buttons are reported before this event.
    case focusLost
}

/// An event of a window, returned by `FramePresenting.wait`.
package enum WindowEvent: Sendable, Hashable {
    /// Input to send to the host.
    case input(WindowInput)
    /// A command that the window can't execute itself: `toggleStatistics`, `changeDriver`, `nextMonitor`,
    /// `toggleSound`, `toggleMicrophone`, `toggleClipboard`, `takeFiles`, `declineFiles`, `louder` or `quieter`. Other
    /// commands are reported after the window has executed them, and `quit` is reported as `closeRequested`.
    case command(WindowCommand)
    /// The window has this new size, in pixels, and has redrawn itself.
    case resized(PixelSize)
    case closeRequested
    /// A file or folder with this path was dropped on the window.
    case dropped(String)
    /// `waker` was called, at least once.
    case woken
}

/// The phase of a touch of a window by a finger or pen.
package enum WindowTouchPhase: Sendable, Hashable, CaseIterable {
    case down
    case move
    case up
    /// The system has cancelled the touch, for example to treat it as a gesture.
    case cancelled
}

/// The keyboard locks of one end, which the other end should adopt.
public struct LockState: Hashable, Sendable {
    /// Caps Lock; `nil` if this end does not know its state, which leaves the other end's Caps Lock unchanged.
    public var caps: Bool?
    /// Num Lock; `nil` if this end has none (a Mac), which leaves the other end's Num Lock unchanged.
    public var num: Bool?

    /// Makes the states of the locks; `nil` for each that is not known.
    public init(caps: Bool? = nil, num: Bool? = nil) {
        self.caps = caps
        self.num = num
    }
}

/// The rule for sending a viewer's keys to the host.
package enum KeyMode: String, Sendable, Hashable, CaseIterable {
    /// A key that produces a character at the viewer produces the same character at the host, regardless of the host's
    /// layout. Other keys, and keys with Ctrl, Alt or GUI, are sent by position.
    case character
    /// Each key is sent by position, and the host's layout decides its character.
    case place
    /// Typed text is sent as text, without held keys: for a window that does not learn which key produced the text.
    case text
}
