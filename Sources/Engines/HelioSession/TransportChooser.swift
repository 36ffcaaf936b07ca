internal import DequeModule
import HelioCore
import HelioMedia

/// Decides at the viewer by which transport its media come: UDP, or TCP for as long as UDP does not carry them (row 14).
///
/// - Nothing has come by UDP a second after PLAY: it is blocked, and TCP is asked for.
/// - UDP falls silent for two seconds, and answers no questions, while the host answers on its connection: TCP. So it is
///   where the host says on the connection that nothing comes to it, and answers no questions.
/// - Five seconds long nearly a third of all packets is lost, while the connection answers five times without losing a
///   thing: TCP. Where the connection loses as much, it would carry nothing at all, and parity carries pictures yet. So UDP
///   is gone back to where the connection then stands still.
/// - On TCP, UDP is asked every two seconds (`PathProbe`). When ten seconds of answers have come all but whole, it is
///   gone back to. A return that soon fails doubles the time until the next one, up to ten minutes.
///
/// A value without I/O: `poll` gives what is to be asked.
struct TransportChooser {
    enum Order: Equatable {
        /// Ask the host, on the connection, for this transport.
        case change(to: StreamTransport, TransportReason)
        /// Ask the host for a sign of life on the connection.
        case checkConnection
        /// Send a question by UDP.
        case question(round: UInt32)
    }

    /// The time from PLAY in which something must come by UDP.
    static let startTime = Duration.seconds(1)
    /// The silence by UDP after which the host is asked whether it is there; it reports every second.
    static let doubtTime = Duration.milliseconds(1200)
    static let silenceTime = Duration.seconds(2)
    /// The longest time without anything by UDP that is no gap: reports come each second.
    private static let longestGap = Duration.milliseconds(2500)
    private static let doubtInterval = Duration.milliseconds(250)
    /// After an outage of the network, the time for which UDP may be later than the connection.
    private static let headStart = Duration.milliseconds(500)
    /// The time for an answer where the host says that nothing comes to it: what is up may just have come back.
    private static let unheardTime = Duration.seconds(1)
    /// The answers in a row of the connection that must come in time for TCP to be better than UDP with losses; and that
    /// time beyond a round trip. TCP sends nothing again within 200 ms.
    private static let quickAnswers = 5
    private static let quickAnswer = Duration.milliseconds(150)
    private static let checkInterval = Duration.milliseconds(300)
    private static let lossTime = 5
    private static let lossShare = 0.3
    /// The least share of each of these seconds: what an outage took is told of in one.
    private static let leastShare = 0.15
    /// The least packets within that time of which a share means something.
    private static let leastPackets = 100
    /// The silence from which the connection counts as standing still, as the host reports every second there; and how
    /// long it may do so in two rounds.
    private static let gap = Duration.milliseconds(1300)
    private static let frozenTime = Duration.milliseconds(500)
    /// The answers of a round with which UDP is better than a connection that stands still.
    private static let leastAnswers = 2
    /// The time for which UDP's losses then count for nothing, at first.
    private static let firstTruce = Duration.seconds(60)
    static let roundTime = Duration.seconds(2)
    static let rounds = 5
    /// The most answers of all these rounds that may be missing.
    private static let mostMissing = 1
    static let firstHold = Duration.seconds(10)
    static let longestHold = Duration.seconds(600)

    /// A second of what came by UDP.
    private struct Second {
        var expected = 0
        var lost = 0
    }

    /// The transport that both ends have agreed on.
    private(set) var current = StreamTransport.udp
    private let policy: TransportPolicy
    private var played: Instant?
    /// When something last came by UDP; `nil`: never.
    private var lastUDP: Instant?
    /// Since when something has come by UDP without a long gap.
    private var steadySince: Instant?
    /// The transport that was asked for, and why.
    private var asked: (transport: StreamTransport, reason: TransportReason)?
    /// True where the host has refused to use the connection.
    private var isRefused = false
    private var orders = Deque<Order>()
    private var round: UInt32 = 0

    // On UDP.
    /// The question to the connection whether it is up: when it was asked, and when something came there since.
    private var check: (asked: Instant, heard: Instant?)?
    /// The questions to the connection whether it loses anything: when the last was asked, whether it was answered, and
    /// how many were before it.
    private var trial: (asked: Instant, isAnswered: Bool, passed: Int)?
    private var roundTrip = Duration.milliseconds(100)
    /// Until when UDP's losses count for nothing, as the connection was worse; and how long that lasts the next time.
    private var truceEnds = Instant.zero
    private var truce = TransportChooser.firstTruce
    private var nextDoubt: Instant?
    /// When the host said that nothing comes to it by UDP; `nil` once an answer shows that it does.
    private var unheard: Instant?
    private var seconds = Deque<Second>()
    private var secondEnds: Instant?
    private var returned: Instant?

    // On TCP.
    private var hold = TransportChooser.firstHold
    private var mayReturn = Instant.zero
    private var nextRound: Instant?
    /// The answers to each of the last rounds, by index, as bits.
    private var answers = Deque<UInt32>()
    private var isHereForLoss = false
    private var lastOnConnection: Instant?
    /// How long the connection stood still in this round, and in the one before.
    private var frozen = (now: Duration.zero, before: Duration.zero)

    init(_ policy: TransportPolicy) { self.policy = policy }

    mutating func poll() -> Order? { orders.popFirst() }

    // MARK: What happens

    /// PLAY was answered.
    mutating func play(now: Instant) {
        guard played == nil else { return }
        played = now
        secondEnds = now + .seconds(1)
        tick(now: now)
    }

    mutating func heardByUDP(now: Instant) {
        if lastUDP.map({ now - $0 > Self.longestGap }) ?? true { steadySince = now }
        lastUDP = now
        if unheard == nil { nextDoubt = nil }
        check = nil
    }

    /// Returns whether something has come by UDP for so long, all the time.
    func hasHeardSteadily(for time: Duration, now: Instant) -> Bool {
        guard let lastUDP, let steadySince, now - lastUDP <= Self.longestGap else { return false }
        return now - steadySince >= time
    }

    mutating func setRoundTrip(_ time: Duration) { roundTrip = time }

    mutating func heardOnConnection(now: Instant) {
        if current == .tcp, let lastOnConnection { frozen.now += max(.zero, now - lastOnConnection - Self.gap) }
        lastOnConnection = now
        if check != nil, check?.heard == nil {
            check?.heard = now
            tick(now: now)
        }
        guard let trial, !trial.isAnswered else { return }
        if now - trial.asked <= roundTrip + Self.quickAnswer {
            self.trial?.isAnswered = true
        } else {
            self.trial = nil
        }
    }

    /// The host says that nothing comes to it by UDP.
    mutating func isUnheard(now: Instant) {
        guard policy == .automatic, current == .udp, unheard == nil, !isRefused else { return }
        unheard = now
        nextDoubt = now
        tick(now: now)
    }

    /// Notes packets that were to come by UDP, and how many of them have not.
    mutating func note(expected: Int, lost: Int) {
        guard current == .udp, !seconds.isEmpty else { return }
        seconds[seconds.count - 1].expected += expected
        seconds[seconds.count - 1].lost += lost
    }

    mutating func take(_ answer: PathProbe.Answer) {
        unheard = nil
        let age = round &- answer.round
        guard current == .tcp, answer.index < PathProbe.answers, age < UInt32(answers.count) else { return }
        answers[answers.count - 1 - Int(age)] |= 1 << UInt32(answer.index)
    }

    /// The host has answered the request for another transport.
    ///
    /// - Returns: the transport that is used from now on, and why; `nil` where nothing changes.
    mutating func answered(isGranted: Bool, now: Instant) -> (StreamTransport, TransportReason)? {
        guard let asked else { return nil }
        self.asked = nil
        guard isGranted, asked.transport != current else {
            if asked.transport == .tcp { isRefused = true } else { postpone(now) }
            return nil
        }
        current = asked.transport
        check = nil
        trial = nil
        nextDoubt = nil
        unheard = nil
        seconds.removeAll()
        if current == .tcp {
            if let returned, now - returned < hold * 2 {
                hold = min(hold * 2, Self.longestHold)
            } else {
                hold = Self.firstHold
            }
            isHereForLoss = asked.reason == .lossy
            frozen = (.zero, .zero)
            postpone(now)
        } else {
            returned = now
            if asked.reason == .stalled {
                truceEnds = now + truce
                truce = min(truce * 2, Self.longestHold)
            }
            // It has a moment to begin.
            lastUDP = now
            secondEnds = now + .seconds(1)
        }
        return asked
    }

    /// Starts the time until the return over.
    private mutating func postpone(_ now: Instant) {
        mayReturn = now + hold
        answers.removeAll()
        guard policy == .automatic else { return }
        nextRound = isHereForLoss ? now : max(now, mayReturn - Self.roundTime * Self.rounds)
    }

    // MARK: Time

    mutating func tick(now: Instant) {
        guard let played, asked == nil else { return }
        switch (policy, current) {
        case (.udp, _): break
        case (.tcp, .udp): if !isRefused { change(to: .tcp, .chosen) }
        case (.tcp, .tcp): break
        case (.automatic, .udp): watch(since: played, now)
        case (.automatic, .tcp): probe(now)
        }
    }

    private mutating func watch(since played: Instant, _ now: Instant) {
        if isRefused { return }
        guard let lastUDP else {
            if now >= played + Self.startTime { change(to: .tcp, .blocked) }
            return
        }
        if let unheard {
            if now >= unheard + Self.unheardTime { return change(to: .tcp, .silent) }
            if now >= nextDoubt ?? .zero {
                ask()
                nextDoubt = now + Self.doubtInterval
            }
        }
        if let trial, now >= trial.asked + Self.checkInterval { judge(trial, now) }
        if asked != nil { return }
        if now >= lastUDP + Self.doubtTime, now >= nextDoubt ?? .zero {
            if check == nil {
                check = (now, nil)
                orders.append(.checkConnection)
            }
            ask()
            nextDoubt = now + Self.doubtInterval
        }
        if now >= lastUDP + Self.silenceTime, let heard = check?.heard, now >= heard + Self.headStart {
            return change(to: .tcp, .silent)
        }
        guard let ends = secondEnds, now >= ends else { return }
        secondEnds = now + .seconds(1)
        if seconds.count == Self.lossTime, isTooLossy, trial == nil, now >= truceEnds { tryConnection(0, now) }
        if seconds.count == Self.lossTime { seconds.removeFirst() }
        seconds.append(Second())
    }

    private mutating func tryConnection(_ passed: Int, _ now: Instant) {
        trial = (now, false, passed)
        orders.append(.checkConnection)
    }

    private mutating func judge(_ last: (asked: Instant, isAnswered: Bool, passed: Int), _ now: Instant) {
        trial = nil
        guard last.isAnswered else { return }
        if last.passed + 1 < Self.quickAnswers { return tryConnection(last.passed + 1, now) }
        change(to: .tcp, .lossy)
    }

    private var isTooLossy: Bool {
        let expected = seconds.reduce(0) { $0 + $1.expected }
        let lost = seconds.reduce(0) { $0 + $1.lost }
        return expected >= Self.leastPackets && Double(lost) >= Double(expected) * Self.lossShare
            && seconds.allSatisfy { $0.lost > 0 && Double($0.lost) >= Double($0.expected) * Self.leastShare }
    }

    private mutating func probe(_ now: Instant) {
        guard let due = nextRound, now >= due else { return }
        let standing = max(.zero, lastOnConnection.map { now - $0 - Self.gap } ?? .zero)
        let isFrozen = frozen.now + frozen.before + standing >= Self.frozenTime
        frozen = (.zero, frozen.now)
        if isHereForLoss, isFrozen, let last = answers.last, last.nonzeroBitCount >= Self.leastAnswers {
            return change(to: .udp, .stalled)
        }
        if answers.count == Self.rounds {
            let missing = answers.reduce(0) { $0 + PathProbe.answers - $1.nonzeroBitCount }
            if missing <= Self.mostMissing, now >= mayReturn { return change(to: .udp, .carries) }
            answers.removeFirst()
        }
        answers.append(0)
        ask()
        nextRound = now + Self.roundTime
    }

    private mutating func ask() {
        round &+= 1
        orders.append(.question(round: round))
    }

    private mutating func change(to transport: StreamTransport, _ reason: TransportReason) {
        asked = (transport, reason)
        orders.append(.change(to: transport, reason))
    }

    var deadline: Deadline? {
        guard let played, asked == nil, policy == .automatic else { return nil }
        if current == .tcp { return nextRound.map { Deadline(at: $0, why: "UDP is asked") } }
        if isRefused { return nil }
        guard let lastUDP else { return Deadline(at: played + Self.startTime, why: "nothing has come by UDP") }
        let second = secondEnds.map { Deadline(at: $0, why: "a second's losses") }
        let doubt = Deadline(at: max(lastUDP + Self.doubtTime, nextDoubt ?? .zero), why: "UDP is silent")
        let trial = trial.map { Deadline(at: $0.asked + Self.checkInterval, why: "the connection is tried") }
        let unheard = unheard.map { since in
            Deadline(
                at: min(since + Self.unheardTime, max(since, nextDoubt ?? .zero)), why: "the host hears nothing by UDP")
        }
        let silent = check?.heard.map { heard in
            Deadline(at: max(lastUDP + Self.silenceTime, heard + Self.headStart), why: "UDP is silent for good")
        }
        return .earliest(.earliest(second, doubt), .earliest(.earliest(silent, unheard), trial))
    }
}
