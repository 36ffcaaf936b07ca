/// The connecting screen: shown from the start of a connection until its first picture, and again after the connection
/// is lost. Each stage has a deadline.
public struct ConnectingModel: ScreenModel {
    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case cancel
        /// Connects at once, after an end or instead of waiting for the next attempt.
        case retry
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        /// The host answers.
        case reached
        /// The host has admitted this device.
        case letIn
        /// The first picture has arrived.
        case picture
        /// The connection is lost, and the session reconnects by itself; `picture` or `ended` follows.
        case searching
        case ended(SessionEnding)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        case connect
        case disconnect
        /// Switches to the session's screen, because the picture has arrived.
        case watch
        /// Switches to the pairing screen, because the host asks for a code or a pairing.
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

    /// The longest time for the host to answer.
    public static let reachTime = Duration.seconds(10)
    /// The longest time for the host to admit this device, and then for the first picture.
    public static let stepTime = Duration.seconds(15)
    /// The longest time to look for a lost host.
    public static let searchTime = Duration.seconds(120)
    /// The time after ``searchTime`` within which a session that reconnects by itself has to report its failure;
    /// otherwise it is disconnected.
    public static let searchSlack = Duration.seconds(10)

    /// The reasons for a refusal that another code or a pairing may remedy.
    private static let asking: Set<String> = ["unknown-device", "wrong-proof", "link-used"]

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public private(set) var deadline: Duration?
    private let host: String
    private var stage = Stage.reaching
    private var lostAt: Duration?
    private var tries = 0

    /// Starts to connect to a host with this name.
    public init(host: String, now: Duration) {
        self.host = host
        connect(now: now)
    }

    /// Cancels the attempt, leaves the screen after an end, or connects again.
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

    /// Moves to the stage that an event begins. An event that does not fit the current stage is ignored.
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

    /// Ends a stage that has exceeded its deadline, or makes the next attempt to reconnect.
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

    /// The screen as it has to be drawn now.
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

    /// True if the user has left the session, or cancelled the attempt: nothing need be shown about that.
    public var hasLeft: Bool { stage == .ended(.left) }

    private var isEnded: Bool { if case .ended = stage { true } else { false } }

    private var searching: Screen<Action, NoField> {
        // A session that reconnects by itself tries continuously, so the button would have no effect.
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
            // The waits are 1, 2, 4 and then always 8 s, so that a sleeping host is not contacted too often.
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
