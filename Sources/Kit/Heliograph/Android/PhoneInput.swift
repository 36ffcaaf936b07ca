internal import HelioAndroid
internal import HelioCore
internal import HelioSharing
private import Synchronization

extension AndroidInput {
    /// Converts a viewer's input; `nil` for input that a phone has no use for.
    init?(_ input: SinkInput) {
        switch input {
        case .pointerMoved(let x, let y): self = .pointerMoved(x: x, y: y)
        case .button(let button, let isDown, let x, let y):
            self = .button(button.ofPhone, isDown: isDown, x: x, y: y)
        case .scrolled(let dx, let dy): self = .scroll(dx: dx, dy: dy)
        // Viewers report one finger.
        case .touch(let phase, let x, let y, let pressure):
            self = .touch(finger: 0, phase.ofPhone, x: x, y: y, pressure: pressure)
        case .key(let usage, let isDown): self = .key(usage: usage, isDown: isDown)
        case .text(let text): self = .text(text)
        case .releaseAll: self = .releaseAll
        case .pointerMovedBy, .requestControl, .handOver: return nil
        }
    }
}

extension SinkInput.Button {
    fileprivate var ofPhone: PointerButton {
        switch self {
        case .left: .left
        case .middle: .middle
        case .right: .right
        case .back: .back
        case .forward: .forward
        }
    }
}

extension SinkInput.TouchPhase {
    fileprivate var ofPhone: FingerPhase {
        switch self {
        case .down: .down
        case .move: .move
        case .up: .up
        case .cancelled: .cancelled
        }
    }
}

/// Makes a phone's clipboard when a source opens it, and keeps it for the phone's own copies.
final class PhoneClipboardOpening: Sendable {
    private let serial: String
    private let submit: @Sendable (AndroidPhone.Input) -> Void
    private let made = Mutex<PhoneClipboard?>(nil)

    init(serial: String, submit: @escaping @Sendable (AndroidPhone.Input) -> Void) {
        self.serial = serial
        self.submit = submit
    }

    /// The clipboard; `nil` if the source shares none.
    var opened: PhoneClipboard? { made.withLock { $0 } }

    func open(_ handler: @escaping @Sendable (ClipboardEvent) -> Void) -> any ClipboardAccess {
        let clipboard = PhoneClipboard(serial: serial, submit: submit, handler: handler)
        made.withLock { $0 = clipboard }
        return clipboard
    }
}
