package import HelioControlWire
package import HelioCore

/// An input to inject on the host. Coordinates are whole pixels of the captured screen.
///
/// Descriptions contain only the case's name, as keys and text may be a password.
package enum InjectedInput: Hashable, Sendable {
    case movePointer(x: Int, y: Int)
    case movePointerBy(dx: Int, dy: Int)
    case button(PointerButton, isDown: Bool)
    /// A scroll in wheel detents times 120: positive y is up, positive x right.
    case scroll(dx: Int, dy: Int)
    case key(usage: UInt16, isDown: Bool)
    /// A press of the key with this usage that has to produce this character in any keyboard layout; the case `key`
    /// releases that key.
    case character(Unicode.Scalar, usage: UInt16)
    case text(String)
    case locks(LockState)
    /// Held keys no longer auto-repeat, as the viewer has been silent for a while.
    case stopRepeating
    /// A phase of a touch by one finger or pen, with a pressure of 0 ... 1. If the system has no touch input, the touch
    /// acts as the pointer's left button.
    case touch(TouchPhase, x: Int, y: Int, pressure: Float)
    /// Coordinates refer to this monitor from now on. The case is indirect, as it is rare and larger than all other
    /// cases.
    indirect case monitor(ScreenMonitor)

    /// True if the input only moves the pointer.
    package var isMotion: Bool {
        switch self {
        case .movePointer, .movePointerBy, .touch(.move, _, _, _): true
        case .button, .scroll, .key, .character, .text, .locks, .stopRepeating, .touch, .monitor: false
        }
    }

    /// True if the input is not an action of the user but a state that later actions depend on, such as the lock keys.
    /// Such input never makes its viewer the driver.
    package var isState: Bool {
        if case .locks = self { true } else { false }
    }

    /// Injects the input into a target. The caller flushes the target once the engine has no more output.
    package func apply(to target: some InputInjecting) {
        switch self {
        case .movePointer(let x, let y): target.movePointer(toX: x, y: y)
        case .movePointerBy(let dx, let dy): target.movePointer(byX: dx, y: dy)
        case .button(let button, let isDown): target.button(button, isDown: isDown)
        case .scroll(let dx, let dy): target.scroll(dx: dx, dy: dy)
        case .key(let usage, let isDown): target.key(usage: usage, isDown: isDown)
        case .character(let character, let usage): target.press(character, usage: usage)
        case .text(let text): target.type(text)
        case .locks(let locks): target.setLocks(locks)
        case .stopRepeating: target.stopRepeating()
        case .touch(let phase, let x, let y, _):
            if phase != .cancelled { target.movePointer(toX: x, y: y) }
            if phase != .move { target.button(.left, isDown: phase == .down) }
        case .monitor(let monitor): target.follow(monitor)
        }
    }
}

extension InjectedInput: CustomStringConvertible {
    package var description: String {
        switch self {
        case .movePointer: "move-pointer"
        case .movePointerBy: "move-pointer-by"
        case .button: "button"
        case .scroll: "scroll"
        case .key: "key"
        case .character: "character"
        case .text: "text"
        case .locks: "locks"
        case .stopRepeating: "stop-repeating"
        case .touch(let phase, _, _, _): "touch-\(phase)"
        case .monitor: "monitor"
        }
    }
}
