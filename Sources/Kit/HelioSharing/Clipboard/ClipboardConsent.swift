internal import HelioControlWire
internal import HelioCore
internal import HelioRemote

/// The consent to share a viewer's clipboard with its host. The host's statement that this viewer drives is not enough,
/// because the host may be untrusted: the viewer's user must also have sent input.
struct ClipboardConsent {
    /// The time after a paste during which the host may request the content.
    static let pasteTime = Duration.seconds(5)

    /// Usages of the USB HID keyboard page (section 10): Keyboard v, Keyboard Insert.
    private static let keyV: UInt16 = 0x19
    private static let keyInsert: UInt16 = 0x49

    private var isDriver = false
    private var hasActed = false
    private var pasteBy: Instant?

    /// True if this viewer drives, or was the last viewer that drove.
    var drives: Bool { isDriver && hasActed }

    /// Handles the host's message that names the driver.
    mutating func heard(_ driver: Driver) {
        switch driver {
        case .you: isDriver = true
        case .nobody: break
        case .other: self = ClipboardConsent()
        }
    }

    /// Handles user input that is sent to the host.
    mutating func acted(_ event: InputEvent, now: Instant) {
        switch event {
        case .pointerMove, .relativeMove, .scroll, .text, .character, .touch,
            .key(_, _, isDown: true), .button(_, isDown: true, _, _):
            hasActed = true
        case .key, .button, .locks, .releaseAll, .requestControl, .handOver, .selectMonitor: break
        }
        if Self.isPaste(event) { pasteBy = now + Self.pasteTime }
    }

    /// True for `pasteTime` after the user has pasted: the host may then also read content that was copied before the
    /// viewer drove.
    func hasPasted(now: Instant) -> Bool { pasteBy.map { now <= $0 } ?? false }

    /// True for Control or Command with V, Shift with Insert, and the middle button.
    private static func isPaste(_ event: InputEvent) -> Bool {
        switch event {
        case .button(.middle, isDown: true, _, _): return true
        case .key(keyV, let modifiers, isDown: true):
            return !modifiers.isDisjoint(with: [.leftControl, .rightControl, .leftGUI, .rightGUI])
        case .key(keyInsert, let modifiers, isDown: true):
            return !modifiers.isDisjoint(with: [.leftShift, .rightShift])
        default: return false
        }
    }
}
