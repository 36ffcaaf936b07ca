/// From opening a host until its picture is there, and again when the connection was lost: each stage has its deadline.
public struct ConnectingModel: ScreenModel {
    /// What a person can press here.
    public enum Action: Hashable, Sendable {
        case cancel
        /// Tries now: after an end, or instead of waiting for the next try.
        case retry
    }

    /// What happens elsewhere and is told here.
    public enum Event: Hashable, Sendable {
        /// The host answers.
        case reached
        /// The host has let this device in.
        case letIn
        /// The first picture is there.
        case picture
        /// The connection is lost, and the session looks for the host by itself: a picture or an end follows.
        case searching
        case ended(SessionEnding)
    }

    /// What is to be done elsewhere.
    public enum Effect: Hashable, Sendable {
        case connect
        case disconnect
        /// The picture is there: the session's screen is next.
        case watch
        /// The host wants a code or a pairing: the pairing's screen is next.
        case ask(SessionEnding)
        case close
    }

    enum Stage: Hashable {
        case reaching
        case lettingIn
        case waitingForPicture
        case watching
        case searching
        case retrying
        case ended(SessionEnding)
    }

    /// How long the host may take to answer.
    public static let reachTime = Duration.seconds(10)
    /// How long it may take to let in, and then to send a picture.
    public static let stepTime = Duration.seconds(15)
    /// How long a host that was lost is looked for.
    public static let searchTime = Duration.seconds(120)
    /// How much longer than that a session may take to say that it has found nobody.
    public static let searchSlack = Duration.seconds(10)

    /// The reasons for which another code, or a pairing, may help.
    private static let asking: Set<String> = ["unknown-device", "wrong-proof", "link-used"]

    /// What is to be done and nobody has taken yet.
    public var effects = EffectQueue<Effect>()
    /// When `tick(now:)` is to be called next; `nil` where nothing waits for a time.
    public private(set) var deadline: Duration?
    private let host: String
    private var stage = Stage.reaching
    private var lostAt: Duration?
    private var tries = 0

    /// Opens a host by its name: it is connected to at once.
    public init(host: String, now: Duration) {
        self.host = host
        connect(now: now)
    }

    /// Takes in what a person has pressed.
    public mutating func press(_ action: Action, now: Duration) {
        switch (action, stage) {
        case (.cancel, .watching): break
        case (.cancel, .ended): effects.append(.close)
        case (.cancel, _):
            effects.append(.disconnect)
            end(.left)
        case (.retry, .retrying): connect(now: now)
        case (.retry, .ended):
            lostAt = nil
            connect(now: now)
        case (.retry, _): break
        }
    }

    /// Takes in what has happened.
    public mutating func handle(_ event: Event, now: Duration) {
        switch (event, stage) {
        case (.reached, .reaching): enter(.lettingIn, until: now + Self.stepTime)
        case (.letIn, .lettingIn): enter(.waitingForPicture, until: now + Self.stepTime)
        case (.searching, .watching):
            lostAt = now
            enter(.searching, until: now + Self.searchTime + Self.searchSlack)
        case (.picture, .waitingForPicture), (.picture, .searching):
            enter(.watching, until: nil)
            lostAt = nil
            tries = 0
            effects.append(.watch)
        case (.ended, .ended), (.ended, .retrying): break
        case (.ended(let ending), _): failed(ending, now: now)
        default: break
        }
    }

    /// Lets what waits for a time happen.
    public mutating func tick(now: Duration) {
        guard let deadline, now >= deadline else { return }
        switch stage {
        case .retrying: connect(now: now)
        case .searching:
            effects.append(.disconnect)
            failed(.lost, now: now)
        case .reaching, .lettingIn, .waitingForPicture:
            effects.append(.disconnect)
            failed(stage == .waitingForPicture ? .noPath : .unreachable, now: now)
        case .watching, .ended: self.deadline = nil
        }
    }

    /// What is to be seen and can be done now.
    public var screen: Screen<Action, NoField> {
        let cancel = ScreenElement<Action, NoField>.button(.cancel, label: Phrase(.commonCancel), role: .cancel)
        if lostAt != nil, !isEnded { return searching }
        switch stage {
        case .reaching: return Screen(Phrase(.connectReaching, host), isBusy: true, [cancel])
        case .lettingIn: return Screen(Phrase(.connectLettingIn), isBusy: true, [cancel])
        case .waitingForPicture: return Screen(Phrase(.connectPicture), isBusy: true, [cancel])
        case .watching: return Screen(.verbatim(host))
        case .searching, .retrying: return searching
        case .ended(let ending):
            let again = Phrase(ending.isInOrder ? .connectOpenAgain : .connectAgain)
            return Screen(
                ending.title, message: ending.message,
                [
                    .button(.retry, label: again, role: .prominent),
                    .button(.cancel, label: Phrase(.commonDone), role: .cancel),
                ])
        }
    }

    private var isEnded: Bool { if case .ended = stage { true } else { false } }

    private var searching: Screen<Action, NoField> {
        // A session that searches by itself tries all the time.
        let now = stage == .searching ? [] : [tryNow]
        return Screen(
            Phrase(.connectLost), message: Phrase(.connectLostText), isBusy: true,
            now + [.button(.cancel, label: Phrase(.connectStop), role: .cancel)])
    }

    private var tryNow: ScreenElement<Action, NoField> {
        .button(.retry, label: Phrase(.connectTryNow), role: .prominent)
    }

    private mutating func failed(_ ending: SessionEnding, now: Duration) {
        if stage == .watching, ending == .lost { lostAt = now }
        let isPassing = [.lost, .unreachable, .noPath].contains(ending)
        if let lostAt, isPassing, now - lostAt < Self.searchTime {
            // 1, 2, 4 and 8 s: a host that was asleep is not asked more often.
            let wait = Duration.seconds(1 << min(tries, 3))
            tries += 1
            return enter(.retrying, until: now + wait)
        }
        end(lostAt != nil && isPassing ? .lost : ending)
        if case .refused(let reason) = ending, Self.asking.contains(reason) { effects.append(.ask(ending)) }
    }

    private mutating func connect(now: Duration) {
        enter(.reaching, until: now + Self.reachTime)
        effects.append(.connect)
    }

    private mutating func end(_ ending: SessionEnding) {
        enter(.ended(ending), until: nil)
        tries = 0
    }

    private mutating func enter(_ next: Stage, until: Duration?) {
        stage = next
        deadline = until
    }
}
