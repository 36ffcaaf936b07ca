package import HelioControlWire
package import HelioCore

/// An input action of the viewer's user. Coordinates are normalised: 0,0 is the picture's top left corner, 1,1 its
/// bottom right corner. Coordinates outside the picture are clamped.
///
/// Descriptions contain only the case's name, as keys and text may be a password.
package enum InputEvent: Hashable, Sendable {
    case pointerMove(x: Float, y: Float)
    /// A relative motion in mouse counts, positive to the right and down. After a relative motion and until the next
    /// `pointerMove`, buttons act at the host's pointer, regardless of their own coordinates.
    case relativeMove(dx: Int, dy: Int)
    case button(PointerButton, isDown: Bool, x: Float, y: Float)
    /// A scroll in wheel detents times 120: positive y is up, positive x right.
    case scroll(dx: Int, dy: Int)
    /// A down or up of a key, by its usage in ``USBKeyboard``.
    case key(usage: UInt16, modifiers: KeyModifiers, isDown: Bool)
    /// A press of the key with this usage that produces this character at the viewer; the case `key` releases that key.
    case character(Unicode.Scalar, usage: UInt16)
    case text(String)
    /// The lock state of the viewer's keyboard.
    case locks(LockState)
    /// A phase of a touch by one finger or pen, with a pressure of 0 ... 1.
    case touch(TouchPhase, x: Float, y: Float, pressure: Float)
    /// The viewer has lost the focus of keyboard or pointer, so everything held is released.
    case releaseAll
    /// The user requests control.
    case requestControl
    /// The user hands control over; everything held is released.
    case handOver
    /// The user wants to see another of the host's monitors.
    case selectMonitor(id: String)
}

extension InputEvent: CustomStringConvertible {
    package var description: String {
        switch self {
        case .pointerMove: "pointer-move"
        case .relativeMove: "relative-move"
        case .button: "button"
        case .scroll: "scroll"
        case .key: "key"
        case .character: "character"
        case .text: "text"
        case .locks: "locks"
        case .touch(let phase, _, _, _): "touch-\(phase)"
        case .releaseAll: "release-all"
        case .requestControl: "request-control"
        case .handOver: "hand-over"
        case .selectMonitor: "select-monitor"
        }
    }
}
