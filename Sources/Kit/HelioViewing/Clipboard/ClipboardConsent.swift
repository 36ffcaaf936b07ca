internal import HelioControlWire
internal import HelioCore
internal import HelioRemote

/// Whether a viewer's clipboard is shared with its host now. The host says who drives, and may be anybody whose screen is
/// only looked at; so that counts only together with what the person at the viewer has done.
struct ClipboardConsent {
    /// How long the host may take to ask for what the person pastes.
    static let pasteTime = Duration.seconds(5)

    /// Usages of the USB HID keyboard page, section 10: Keyboard v, Keyboard Insert.
    private static let keyV: UInt16 = 0x19
    private static let keyInsert: UInt16 = 0x49

    private var isDriver = false
    private var hasActed = false
    private var pasteBy: Instant?

    /// True where this viewer drives, or drove last.
    var drives: Bool { isDriver && hasActed }

    /// The host has said who drives.
    mutating func heard(_ driver: Driver) {
        switch driver {
        case .you: isDriver = true
        case .nobody: break
        case .other: self = ClipboardConsent()
        }
    }

    /// The person has done something that is sent to the host.
    mutating func acted(_ event: InputEvent, now: Instant) {
        switch event {
        case .pointerMove, .relativeMove, .scroll, .text, .character, .touch,
            .key(_, _, isDown: true), .button(_, isDown: true, _, _):
            hasActed = true
        case .key, .button, .locks, .releaseAll, .requestControl, .handOver, .selectMonitor: break
        }
        if Self.isPaste(event) { pasteBy = now + Self.pasteTime }
    }

    /// True where the person has pasted a moment ago: then the host may have what was copied before the viewer drove, too.
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
