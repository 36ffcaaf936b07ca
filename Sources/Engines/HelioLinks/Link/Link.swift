internal import DequeModule
import HelioCore

/// The state of one link, as this end knows it.
struct Link: Sendable {
    /// A probe that may still be answered.
    struct Ask: Sendable {
        var number: UInt64
        var at: Instant
        /// The number of datagrams sent on the link, this one included.
        var sent: UInt32
    }

    private static let askLimit = 64
    /// The number of answers after which a link is up.
    static let neededAnswers = 2
    /// The number of asks in sequence whose loss is an interruption of the link.
    private static let interruption = 4

    let id: LinkID
    var traits: LinkTraits
    var state = LinkState.probing
    var upAt: Instant?
    var timesUp = 0

    // This end's probes.
    var asks = Deque<Ask>()
    var lastAsk: UInt64
    var asksAt: Instant
    /// The number of asks since the last sign that the peer receives them.
    var unanswered = 0
    /// The number of next asks that follow each other quickly.
    var hurried = 0
    /// The newest ask that the peer has received, by its answers and reports.
    var heardByPeer: UInt64
    var heardAt: Instant?
    /// The time at which the newest ask that the peer has received was sent: what was sent later may be lost.
    var arrivedUntil: Instant?
    /// The number of signs since the link came or fell silent.
    var answers = 0
    /// The time from which the intervals of asks grow while the link isn't up.
    var triedSince: Instant
    /// True if the link is active and its answer is late: a second link carries copies.
    var isDoubted = false

    // The peer's probes.
    var newestAsk: UInt64 = 0
    /// The peer's number of this link, from its authentic frames.
    var lane: LinkID?
    var laneHeardAt: Instant?

    // Measurements.
    var sent = 0
    var received = 0
    var outbound = LossMeter()
    var inbound = LossMeter()
    var roundTrip = RoundTripMeter()

    // The avoidance of links that come and go.
    var hold = LinkHold()

    var pacer: WidthPacer?

    init(_ id: LinkID, _ traits: LinkTraits, lastCounter: UInt64, hold: LinkHold, now: Instant) {
        self.id = id
        self.traits = traits
        self.hold = hold
        lastAsk = lastCounter
        heardByPeer = lastCounter
        asksAt = now
        triedSince = now
        pacer = traits.width.map { WidthPacer($0, now: now) }
    }

    var isUp: Bool { state == .up }
    /// The share of lost datagrams of the worse direction.
    var loss: Double { max(outbound.share, inbound.share) }

    // MARK: Probes

    mutating func noteAsk(_ number: UInt64, now: Instant) {
        lastAsk = number
        unanswered += 1
        if hurried > 0 { hurried -= 1 }
        asks.append(Ask(number: number, at: now, sent: UInt32(truncatingIfNeeded: sent)))
        if asks.count > Self.askLimit { asks.removeFirst() }
    }

    /// Handles a report that the peer has received the ask `number`. Returns true if this is news: the link works in
    /// both directions.
    mutating func heard(_ number: UInt64, now: Instant) -> Bool {
        guard number > heardByPeer, number <= lastAsk else { return false }
        heardByPeer = number
        heardAt = now
        if let ask = asks.last(where: { $0.number <= number }) { arrivedUntil = max(arrivedUntil ?? ask.at, ask.at) }
        unanswered = 0
        isDoubted = false
        answers += 1
        return true
    }

    /// Handles an answer to the ask `number`.
    ///
    /// - Parameter receivedByPeer: the number of datagrams that the peer had received with that ask.
    mutating func answered(_ number: UInt64, receivedByPeer: UInt32, now: Instant) {
        guard let index = asks.firstIndex(where: { $0.number == number }) else { return }
        let ask = asks.remove(at: index)
        roundTrip.measured(now - ask.at)
        outbound.note(sent: ask.sent, received: receivedByPeer, now: now)
    }

    /// Checks the lane of an authentic frame. A link has one lane; another takes its place after a second of silence,
    /// as the peer's link then has another number.
    mutating func accepts(_ lane: LinkID, now: Instant) -> Bool {
        if lane != self.lane {
            if self.lane != nil, let laneHeardAt, now - laneHeardAt < .seconds(1) { return false }
            self.lane = lane
            newestAsk = 0
            inbound.restart()
        }
        laneHeardAt = now
        return true
    }

    /// Keeps the loss of an interruption out of the link's loss. Called before the counts of a probe are compared.
    mutating func skipInterruption() {
        guard unanswered >= Self.interruption else { return }
        outbound.interrupt()
        inbound.interrupt()
    }

    // MARK: Times

    /// The time from the last ask to the next.
    func interval(isActive: Bool, _ settings: LinkBundleSettings, now: Instant) -> Duration {
        if hurried > 0 { return .milliseconds(30) }
        guard isUp else {
            // A link that has just come is asked often, one without an answer ever more rarely.
            let age = now - triedSince
            return age < .seconds(1) ? .milliseconds(50) : age < .seconds(10) ? .milliseconds(200) : .milliseconds(500)
        }
        if isLate(isActive: isActive, settings, now: now) { return settings.doubtInterval }
        return isActive ? settings.activeInterval : settings.idleInterval
    }

    /// The time at which the next sign is late; `nil` unless the link is up.
    func lateAt(isActive: Bool, _ settings: LinkBundleSettings) -> Instant? {
        guard isUp, let heardAt else { return nil }
        let interval = isActive ? settings.activeInterval : settings.idleInterval
        return heardAt + interval * 3 / 2 + roundTrip.expected
    }

    func isLate(isActive: Bool, _ settings: LinkBundleSettings, now: Instant) -> Bool {
        lateAt(isActive: isActive, settings).map { $0 <= now } ?? false
    }

    /// True if the link was silent for long enough to be given up, although it was asked.
    func isGone(_ settings: LinkBundleSettings, now: Instant) -> Bool {
        guard isUp, let heardAt, unanswered >= settings.leastUnanswered else { return false }
        let limit = min(max(roundTrip.expected * 3, settings.leastSilence), settings.mostSilence)
        return now - heardAt >= limit
    }

    // MARK: State

    mutating func comeUp(_ settings: LinkBundleSettings, now: Instant) {
        state = .up
        upAt = now
        timesUp += 1
        heardAt = now
        unanswered = 0
        outbound.restart()
        inbound.restart()
        hold.begin(now)
    }

    mutating func fallSilent(_ settings: LinkBundleSettings, now: Instant) {
        hold.noteSilence(wasUpFor: upAt.map { now - $0 }, settings)
        state = .silent
        upAt = nil
        answers = 0
        isDoubted = false
        triedSince = now
        hurried = 0
    }

    func statistics() -> LinkStatistics {
        LinkStatistics(
            kind: traits.kind, state: state, sent: sent, received: received, lost: outbound.total, loss: loss,
            roundTrip: roundTrip.smoothed, timesUp: timesUp)
    }
}
