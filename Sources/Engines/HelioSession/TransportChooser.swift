internal import DequeModule
import HelioCore
import HelioMedia

/// Chooses at the viewer the transport of its media: UDP, or TCP for as long as UDP does not work.
///
/// - Nothing has arrived by UDP a second after PLAY: UDP is blocked, and TCP is requested.
/// - UDP is silent for two seconds and its probes are not answered, while the host answers on its connection: TCP is
///   requested. The same holds if the host reports on the connection that it receives nothing by UDP, and answers no
///   probes.
/// - Nearly a third of all packets is lost for five seconds, while the connection answers five times without losses:
///   TCP is requested. If TCP suffers the same loss it carries next to nothing, while UDP with parity still carries
///   video. So UDP is resumed if the connection stalls afterwards.
/// - On TCP, UDP is probed every two seconds (`PathProbe`): at once after a change for loss, otherwise from ten seconds
///   before a return is permitted. Once ten seconds of answers have arrived nearly complete, UDP is resumed. A return
///   that fails soon doubles the time until the next return, up to ten minutes.
///
/// The chooser is a value without I/O: `poll` returns the requests to send.
struct TransportChooser {
    enum Order: Equatable {
        /// Request this transport from the host, on the connection.
        case change(to: StreamTransport, TransportReason)
        /// Send a keep-alive on the signalling connection, to check whether the host answers.
        case checkConnection
        /// Send a probe by UDP.
        case question(round: UInt32)
    }

    /// The time from PLAY within which something must arrive by UDP.
    static let startTime = Duration.seconds(1)
    /// The silence by UDP after which the connection is checked; the host reports every second.
    static let doubtTime = Duration.milliseconds(1200)
    static let silenceTime = Duration.seconds(2)
    /// The longest gap in arrivals by UDP that still counts as steady: reports come each second.
    private static let longestGap = Duration.milliseconds(2500)
    private static let doubtInterval = Duration.milliseconds(250)
    /// The time that UDP gets to recover from a network outage once the connection has recovered.
    private static let headStart = Duration.milliseconds(500)
    /// The wait for a probe's answer after the host has reported that it receives nothing by UDP: the path to the host
    /// may have recovered since.
    private static let unheardTime = Duration.seconds(1)
    /// The number of consecutive timely answers on the connection after which TCP replaces a lossy UDP; and the time
    /// limit of such an answer beyond a round trip. TCP retransmits nothing within 200 ms.
    private static let quickAnswers = 5
    private static let quickAnswer = Duration.milliseconds(150)
    private static let checkInterval = Duration.milliseconds(300)
    private static let lossTime = 5
    private static let lossShare = 0.3
    /// The minimum loss ratio in each of the `lossTime` seconds. It distinguishes steady loss from an outage, whose
    /// losses are all reported in one second.
    private static let leastShare = 0.15
    /// The minimum number of packets within `lossTime` that make a loss ratio meaningful.
    private static let leastPackets = 100
    /// The silence after which the connection counts as stalled, as the host reports every second; and the total stall
    /// time within two rounds after which UDP is resumed.
    private static let gap = Duration.milliseconds(1300)
    private static let frozenTime = Duration.milliseconds(500)
    /// The number of a round's probes that have to be answered for UDP to replace a stalled connection.
    private static let leastAnswers = 2
    /// The time for which UDP's losses are ignored after a return from a stalled connection; doubled at each further
    /// return, up to `longestHold`.
    private static let firstTruce = Duration.seconds(60)
    static let roundTime = Duration.seconds(2)
    static let rounds = 5
    /// The maximum number of answers that may be missing in all `rounds` together for a return to UDP.
    private static let mostMissing = 1
    static let firstHold = Duration.seconds(10)
    static let longestHold = Duration.seconds(600)

    /// The numbers of packets expected by UDP in one second, and lost among them.
    private struct Second {
        var expected = 0
        var lost = 0
    }

    /// The transport that both ends have agreed on.
    private(set) var current = StreamTransport.udp
    private let policy: TransportPolicy
    private var played: Instant?
    /// The time at which something last arrived by UDP; `nil`: never.
    private var lastUDP: Instant?
    /// The time from which datagrams have arrived by UDP without a long gap.
    private var steadySince: Instant?
    /// The pending request for a transport, and its reason.
    private var asked: (transport: StreamTransport, reason: TransportReason)?
    /// True if the host has refused to send media over TCP, on the signalling connection.
    private var isRefused = false
    private var orders = Deque<Order>()
    private var round: UInt32 = 0

    // State while on UDP.
    /// The pending check of whether the connection is alive: the time of the check, and the time at which data arrived
    /// on the connection since.
    private var check: (asked: Instant, heard: Instant?)?
    /// The series of checks of whether the connection loses packets: the time of the last check, whether it was
    /// answered in time, and the number of checks passed before it.
    private var trial: (asked: Instant, isAnswered: Bool, passed: Int)?
    private var roundTrip = Duration.milliseconds(100)
    /// The end of the time in which UDP's losses are ignored, as the connection has stalled; and the duration of the
    /// next such time.
    private var truceEnds = Instant.zero
    private var truce = TransportChooser.firstTruce
    private var nextDoubt: Instant?
    /// The time at which the host reported that it receives nothing by UDP; `nil` if it did not, or once an answer to a
    /// probe has refuted it.
    private var unheard: Instant?
    private var seconds = Deque<Second>()
    private var secondEnds: Instant?
    private var returned: Instant?

    // State while on TCP.
    private var hold = TransportChooser.firstHold
    private var mayReturn = Instant.zero
    private var nextRound: Instant?
    /// The probe answers received in each of the last rounds: a bit for each answer's index.
    private var answers = Deque<UInt32>()
    private var isHereForLoss = false
    private var lastOnConnection: Instant?
    /// The time for which the connection has stalled in this round, and in the previous round.
    private var frozen = (now: Duration.zero, before: Duration.zero)

    init(_ policy: TransportPolicy) { self.policy = policy }

    mutating func poll() -> Order? { orders.popFirst() }

    // MARK: Events

    /// Notes that PLAY was answered: media should arrive from now on.
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

    /// Returns whether datagrams have kept arriving by UDP for this long, without a gap above `longestGap`.
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

    /// Handles the host's notice that it receives nothing by UDP.
    mutating func isUnheard(now: Instant) {
        guard policy == .automatic, current == .udp, unheard == nil, !isRefused else { return }
        unheard = now
        nextDoubt = now
        tick(now: now)
    }

    /// Records the numbers of packets expected by UDP, and lost among them.
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

    /// Handles the host's answer to the request for another transport.
    ///
    /// - Returns: the new transport and its reason; `nil` if nothing changes.
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
            // Measure the time without UDP datagrams from this switch back to UDP, so that the first media have time to
            // arrive.
            lastUDP = now
            secondEnds = now + .seconds(1)
        }
        return asked
    }

    /// Restarts the waiting time before a return to UDP.
    private mutating func postpone(_ now: Instant) {
        mayReturn = now + hold
        answers.removeAll()
        guard policy == .automatic else { return }
        nextRound = isHereForLoss ? now : max(now, mayReturn - Self.roundTime * Self.rounds)
    }

    // MARK: Timers

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
