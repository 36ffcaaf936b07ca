/// Being let in by a host that does not know this device: by the code that it shows, or by pairing, where two people
/// compare six digits (row 129).
public struct PairingModel: ScreenModel {
    /// What a person can press here.
    public enum Action: Hashable, Sendable {
        case join
        case pair
        /// Both screens show the same digits, or they differ.
        case confirm(Bool)
        case cancel
    }

    /// What a person can write in here.
    public enum Field: Hashable, Sendable {
        case code
        case name
    }

    /// What happens elsewhere and is told here.
    public enum Event: Hashable, Sendable {
        /// The digits to compare.
        case compare(String)
        case paired
        case ended(SessionEnding)
    }

    /// What is to be done elsewhere.
    public enum Effect: Hashable, Sendable {
        /// 16 characters of Crockford's base32, without lines between.
        case join(code: String)
        case pair(name: String)
        case confirm(Bool)
        /// Ends the try that goes on: nobody has answered in time.
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

    /// How long each step may wait for the other end or for people there.
    public static let patience = Duration.seconds(60)
    /// The most characters of a name.
    public static let longestName = 64

    /// What is to be done and nobody has taken yet.
    public var effects = EffectQueue<Effect>()
    /// When `tick(now:)` is to be called next; `nil` where nothing waits for a time.
    public private(set) var deadline: Duration?
    private let host: String
    private let canPair: Bool
    private var state = State.asking
    private var failure: SessionEnding?
    private var mistake: AppText?
    private var code = ""
    private var name: String

    /// - Parameters:
    ///   - canPair: whether somebody is at the host to compare digits.
    ///   - name: what this device calls itself until the person says otherwise.
    ///   - failure: why the last try failed.
    public init(host: String, canPair: Bool, name: String, failure: SessionEnding? = nil) {
        self.host = host
        self.canPair = canPair
        self.name = name
        self.failure = failure
    }

    /// Takes in what a person has written.
    public mutating func edit(_ field: Field, _ text: String) {
        mistake = nil
        switch field {
        case .code: code = HostCode.tidy(text)
        case .name: name = String(text.prefix(Self.longestName))
        }
    }

    /// Takes in what a person has pressed.
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

    /// Takes in what has happened.
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

    /// Lets what waits for a time happen.
    public mutating func tick(now: Duration) {
        guard let deadline, now >= deadline else { return }
        effects.append(.abandon)
        fail(state == .calling ? .unreachable : .refused("pairing-timed-out"))
    }

    /// What is to be seen and can be done now.
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
