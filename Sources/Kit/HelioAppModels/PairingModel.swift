/// The screen for admission by a host that does not know this device: with the code that the host shows, or by pairing,
/// for which the users at both ends compare six digits (requirement row 129).
public struct PairingModel: ScreenModel {
    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case join
        case pair
        /// The user's answer: true if both screens show the same digits.
        case confirm(Bool)
        case cancel
    }

    /// A text field of this screen.
    public enum Field: Hashable, Sendable {
        case code
        case name
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        /// The host has answered; these are the six digits to compare.
        case compare(String)
        case paired
        case ended(SessionEnding)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        /// Connects to the host with the code that it shows: 16 characters of Crockford's base32, without dashes.
        case join(code: String)
        case pair(name: String)
        case confirm(Bool)
        /// Cancels the attempt in progress, because a step has exceeded ``PairingModel/patience``.
        case abandon
        case close
    }

    enum State: Hashable {
        case asking
        case calling
        case comparing(String)
        case confirmed
        case paired
    }

    /// The time limit of each step: the host's answer, this user's answer, and the answer of the user at the host.
    public static let patience = Duration.seconds(60)
    /// The longest name, in characters.
    public static let longestName = 64

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public private(set) var deadline: Duration?
    private let host: String
    private let canPair: Bool
    private var state = State.asking
    private var failure: SessionEnding?
    private var mistake: AppText?
    private var code = ""
    private var name: String

    /// - Parameters:
    ///   - canPair: true if the host supports pairing by comparing digits.
    ///   - name: the initial text for this device's name.
    ///   - failure: the reason why the last attempt failed; `nil` for a first attempt.
    public init(host: String, canPair: Bool, name: String, failure: SessionEnding? = nil) {
        self.host = host
        self.canPair = canPair
        self.name = name
        self.failure = failure
    }

    /// Stores the text of a field. The code is formatted in groups of four; the name is cut to ``longestName``
    /// characters.
    public mutating func edit(_ field: Field, _ text: String) {
        mistake = nil
        switch field {
        case .code: code = HostCode.tidy(text)
        case .name: name = String(text.prefix(Self.longestName))
        }
    }

    /// Starts an attempt by code or by pairing, answers whether the digits match, or leaves the screen.
    public mutating func press(_ action: Action, now: Duration) {
        switch (action, state) {
        case (.join, .asking): join(now: now)
        case (.pair, .asking) where canPair:
            let tidy = String(name.trimming(while: \.isWhitespace))
            mistake = tidy.isEmpty ? .pairNameless : nil
            if !tidy.isEmpty { wait(.calling, .pair(name: tidy), now: now) }
        case (.confirm(true), .comparing): wait(.confirmed, .confirm(true), now: now)
        case (.confirm(false), .comparing):
            effects.append(.confirm(false))
            fail(.refused("pairing-mismatch"))
        case (.cancel, _):
            deadline = nil
            effects.append(.close)
        default: break
        }
    }

    /// Shows the digits, the success or the failure of the attempt in progress; ignored if there is none.
    public mutating func handle(_ event: Event, now: Duration) {
        switch (event, state) {
        case (.compare(let digits), .calling):
            state = .comparing(digits)
            deadline = now + Self.patience
        case (.paired, .confirmed):
            state = .paired
            deadline = nil
        case (.ended(let ending), .calling), (.ended(let ending), .comparing), (.ended(let ending), .confirmed):
            fail(ending)
        default: break
        }
    }

    /// Abandons a step that has exceeded ``patience``, and returns to the first step with the failure.
    public mutating func tick(now: Duration) {
        guard let deadline, now >= deadline else { return }
        effects.append(.abandon)
        fail(state == .calling ? .unreachable : .refused("pairing-timed-out"))
    }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, Field> {
        let cancel = ScreenElement<Action, Field>.button(.cancel, label: Phrase(.commonCancel), role: .cancel)
        switch state {
        case .asking: return asking(cancel)
        case .calling: return Screen(Phrase(.pairAsking, host), isBusy: true, [cancel])
        case .comparing(let digits):
            return Screen(
                Phrase(.pairCompare), message: Phrase(.pairCompareText),
                [
                    .digits(digits), .button(.confirm(true), label: Phrase(.pairSame), role: .prominent),
                    .button(.confirm(false), label: Phrase(.pairDiffer), role: .standard),
                ])
        case .confirmed:
            return Screen(Phrase(.pairAlmost), message: Phrase(.pairWaiting), isBusy: true, [cancel])
        case .paired:
            return Screen(
                Phrase(.pairDone), message: Phrase(.pairDoneText, host),
                [.button(.cancel, label: Phrase(.commonDone), role: .prominent)])
        }
    }

    private func asking(_ cancel: ScreenElement<Action, Field>) -> Screen<Action, Field> {
        var elements: [ScreenElement<Action, Field>] = []
        if let mistake { elements.append(.warning(Phrase(mistake))) }
        elements += [
            .field(
                .code, label: Phrase(.pairCode), value: code, placeholder: "XXXX-XXXX-XXXX-XXXX", isSecret: false),
            .button(.join, label: Phrase(.hostsOpen), role: .prominent),
        ]
        if canPair {
            elements += [
                .field(.name, label: Phrase(.pairName), value: name, placeholder: "", isSecret: false),
                .button(.pair, label: Phrase(.pairPair), role: .standard), .text(Phrase(.pairHint)),
            ]
        }
        return Screen(
            failure?.title ?? .verbatim(host), message: failure?.message ?? Phrase(.pairGreeting), elements + [cancel])
    }

    private mutating func join(now: Duration) {
        guard let plain = HostCode.plain(code) else {
            mistake = .pairBadCode
            return
        }
        mistake = nil
        code = ""
        wait(.calling, .join(code: plain), now: now)
    }

    private mutating func wait(_ next: State, _ effect: Effect, now: Duration) {
        failure = nil
        state = next
        deadline = now + Self.patience
        effects.append(effect)
    }

    private mutating func fail(_ ending: SessionEnding) {
        state = .asking
        deadline = nil
        failure = ending
    }
}
