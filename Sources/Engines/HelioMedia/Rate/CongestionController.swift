package import HelioCore

/// Controls the sending rate to one peer: the only congestion controller, for native viewers as well as browsers and
/// other WebRTC peers.
///
/// The controller's input is the arrival or loss of each packet. Of its detectors, `DelayGradient` detects a queue
/// while it is short, `LossJudge` separates congestion from a radio's own losses, `ProbePlanner` looks for more
/// bandwidth if the application sends too little to show it, and `BurstCapacity` measures how fast a single frame may
/// leave. On congestion the rate falls to a share of the arrival rate, otherwise it grows to at most one and a half
/// times the arrival rate. While feedback is overdue, it falls step by step.
package struct CongestionController: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var least: Bitrate = .kilobits(150)
        /// The rate that the path is known to carry; `nil`: the path is started at a low rate, and probed at once.
        package var start: Bitrate?
        /// The agreed rate, which is the ceiling.
        package var most: Bitrate

        package init(most: Bitrate) { self.most = most }
    }

    /// The factor on the arrival rate after a queue was detected.
    private static let backoff = 0.85
    /// The initial rate on an unknown path.
    private static let careful = Bitrate.megabits(3)
    private static let lossBackoff = 0.95
    /// The loss in excess of the path's own that counts as congestion while rivals (`RivalWatch`) fill the queue: this
    /// flow's share of the packets that the full queue drops.
    private static let rivalLoss = 0.01
    /// The growth factor per second, while the rate is far from the rate at which the path was full.
    private static let growth = 1.08
    /// The growth near the rate at which the path was full, in bit/s per response time of the path; then the maximum of
    /// this growth per second, as a share of the rate.
    private static let step = 90_000.0
    private static let steepest = 0.2
    /// The time after which a rate that the path has carried is no longer worth a probe.
    private static let memory = Duration.seconds(60)
    /// The share of the target below which the sending rate counts as limited by the application.
    private static let applicationShare = 0.65
    /// The time without feedback on sent packets after which the rate falls; three round trips if that is longer.
    private static let silence = Duration.milliseconds(500)
    /// The ratio of the rate carried lately to the target above which the path's bandwidth has slumped, and is not just
    /// shared with other flows.
    private static let slump = 6
    private static let burstFactor = 1.25
    /// The highest rate at which a frame's packets leave, as a multiple of the agreed rate.
    private static let fastest = 5
    private static let overfull = Duration.milliseconds(60)
    private static let draining = Duration.milliseconds(250)

    /// The rate that encoders may use.
    package private(set) var target: Bitrate
    /// True once the peer has sent feedback on any packet.
    package private(set) var isMeasured = false

    private var configuration: Configuration
    /// The arrival rate over some ten frames: a window long enough that one large frame does not distort the rate, and
    /// short enough to reveal a fall soon.
    private var acknowledged = AcknowledgedRate(window: .milliseconds(400))
    private var lately = AcknowledgedRate(window: .milliseconds(150))
    private var queue = QueueWatch()
    /// The target before it was lowered because of a standing queue, to restore if the delay proves to be no queue.
    private var beforeQueue: Bitrate?
    /// Delays of packets sent before this time are ignored.
    private var delaysSince = Instant.zero
    private var rivals = RivalWatch()
    private var gradient = DelayGradient()
    private var loss = LossJudge()
    private var bursts = BurstCapacity()
    private var probes = ProbePlanner()
    private var sentRate = AcknowledgedRate(window: .milliseconds(400))
    private var roundTrip = Duration.milliseconds(100)
    private var lastDecrease: Instant?
    private var lastGrowth: Instant?
    private var lastFeedback: Instant?
    /// The sending time of the first packet that awaits feedback, and of the newest packet.
    private var unanswered: Instant?
    private var lastSent = Instant.zero
    private var full = FullRate()
    /// True once the path has been seen to be full.
    private var hasBeenFull = false
    /// True if the rate is known from another transport: the result of the opening probe train, at most 8 Mbit/s, may
    /// then only raise the rate.
    private var isRateKnown = false
    /// The highest rate that the path carried lately, and the time of that measurement.
    private var highest: (rate: Bitrate, at: Instant)?

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        target = min(configuration.start ?? Self.careful, configuration.most)
    }

    /// Sets another agreed rate, which is the ceiling of `target`.
    package mutating func setMost(_ most: Bitrate) {
        configuration.most = most
        if target > most { set(most) }
    }

    /// Begins a new path. `configuration.start`, a rate known in advance, applies to the first path only; later paths
    /// are probed.
    package mutating func open(now: Instant) {
        isRateKnown = false
        hasBeenFull = configuration.start != nil
        configuration.start = nil
        if !hasBeenFull { probes.open() }
    }

    /// Notes that packets take another transport from now on, so that delays measured before can't be compared with
    /// later ones.
    package mutating func changeTransport(now: Instant) {
        queue = QueueWatch()
        gradient = DelayGradient()
        bursts = BurstCapacity()
        rivals = RivalWatch()
        beforeQueue = nil
        delaysSince = now
        isRateKnown = isMeasured
    }

    package mutating func halve() { set(target.scaled(by: 0.5)) }

    package mutating func setRoundTrip(_ time: Duration) { roundTrip = time }

    /// Records a sent packet of `size` bytes.
    package mutating func sent(_ size: Int, now: Instant) {
        sentRate.note(size, at: now)
        lastSent = now
        if unanswered == nil { unanswered = now }
    }

    /// The rate at which a frame's packets leave: as fast as the path has carried bursts, as the queue that one frame
    /// causes drains before the next frame.
    package var pacingRate: Bitrate {
        if queue.isStanding { return target }
        let burst = bursts.proven?.bitsPerSecond ?? 0
        let rate = Int(Double(max(burst, target.bitsPerSecond)) * Self.burstFactor)
        // This bound limits the pacing rate whatever a peer reports.
        return Bitrate(bitsPerSecond: min(rate, configuration.most.bitsPerSecond * Self.fastest))
    }

    /// The highest rate carried lately; `nil` before the first measurement.
    package var proven: Bitrate? { highest?.rate }

    /// True while the path's queue is longer than a picture should wait: a keyframe sent now would arrive too late, or
    /// be lost.
    package func isOverfull(now: Instant) -> Bool {
        guard queue.isStanding, queue.queue > Self.overfull, !rivals.fill, let lastFeedback else { return false }
        // Feedback arrives only if packets are sent, so the state also ends after a time without feedback.
        return now - lastFeedback < Self.draining
    }

    /// The time at which `isOverfull` ends without further feedback.
    package var overfullEnds: Instant? { lastFeedback.map { $0 + Self.draining } }

    // MARK: Feedback

    /// Processes the arrivals and losses of packets, in order of sending.
    ///
    /// - Parameters:
    ///   - expected: the number of packets that the peer reported for the first time.
    ///   - lost: the number of these packets that are missing, minus the packets that were reported missing earlier and
    ///     have arrived since.
    package mutating func handle(_ results: [PacketResult], expected: Int, lost: Int, now: Instant) {
        lastFeedback = now
        unanswered = nil
        isMeasured = true
        var outcome: ProbePlanner.Outcome?
        var queued = false
        for result in results {
            if let judged = probes.take(result) { outcome = judged }
            guard let arrival = result.arrival else { continue }
            acknowledged.note(result.size, at: arrival)
            lately.note(result.size, at: arrival)
            guard result.sent >= delaysSince else { continue }
            queue.take(sent: result.sent, arrival: arrival)
            if queue.hasJumped {
                gradient = DelayGradient()
            } else {
                gradient.take(sent: result.sent, arrival: arrival, size: result.size)
            }
            if gradient.signal == .overuse { queued = true }
            bursts.take(sent: result.sent, arrival: arrival, size: result.size)
        }
        let isCongested = loss.take(expected: expected, lost: lost, now: now)
        if let carried { note(carried: carried, now: now) }
        if let outcome, !queue.isStanding { judge(outcome, now: now) }
        rivals.take(
            queue: queue.queue, isStanding: queue.isStanding, mayBeNone: queue.mayBeNone, sent: sentRate.rate,
            arrived: acknowledged.rate, now: now)
        if rivals.fill {
            // A lower rate would only leave more bandwidth to the rivals.
            compete(isCongested: isCongested, now: now)
        } else if queue.wasNone(roundTrip: roundTrip, now: now) {
            // The route has become longer, with the same bandwidth.
            if let beforeQueue, beforeQueue > target { set(beforeQueue) }
            beforeQueue = nil
            lastGrowth = now
        } else if queued || queue.isStanding {
            drain(now)
        } else if isCongested {
            back(off: Self.lossBackoff, now: now)
        } else if gradient.signal == .normal {
            grow(now)
        } else {
            lastGrowth = now
        }
        guard !queue.isStanding, !queued, !rivals.fill else { return }
        probes.consider(
            target: target, most: configuration.most, isRecovering: isRecovering(now),
            isLimitedByApplication: isLimitedByApplication, now: now)
    }

    /// Competes with rivals that fill the queue: grows in spite of the queue, and backs off only if it overflows.
    private mutating func compete(isCongested: Bool, now: Instant) {
        if let beforeQueue, beforeQueue > target { set(beforeQueue) }
        beforeQueue = nil
        if isCongested || loss.loss > loss.inherent + Self.rivalLoss {
            back(off: Self.backoff, now: now)
            loss.forgive()
        } else {
            grow(now)
        }
    }

    private mutating func note(carried rate: Bitrate, now: Instant) {
        if let best = bestLately(now), best >= rate { return }
        highest = (min(rate, configuration.most), now)
    }

    private mutating func judge(_ outcome: ProbePlanner.Outcome, now: Instant) {
        switch outcome {
        case .train(let rate):
            // A probe train is so short that the measured rate is uncertain, so the path is started below that rate.
            let believed = rate.scaled(by: 0.7)
            let beginning = min(believed, .megabits(8))
            if !isRateKnown || beginning > target { set(beginning) }
            if believed > target, target < configuration.most { probes.want(min(believed, configuration.most)) }
        case .carries(let rate, let passed):
            if !passed { hasBeenFull = true }
            note(carried: rate, now: now)
            let isSlump = bestLately(now).map { $0.bitsPerSecond > target.bitsPerSecond * Self.slump } ?? false
            probes.judged(
                passed: passed, isShared: rate.bitsPerSecond * 4 > target.bitsPerSecond * 5, isSlump: isSlump)
            // A probe that did not pass shows the spare bandwidth only if nothing else filled the path.
            if rate > target, passed || isLimitedByApplication {
                set(rate.scaled(by: 0.95))
            }
            if passed, rate.bitsPerSecond * 5 >= configuration.most.bitsPerSecond * 4 {
                // The agreed rate is all that encoders may use, so no further probe is needed.
                set(configuration.most)
            } else if passed, target.bitsPerSecond * 20 < configuration.most.bitsPerSecond * 19 {
                probes.want(min(configuration.most, Bitrate(bitsPerSecond: rate.bitsPerSecond * 2)))
            }
        }
    }

    /// Lowers the target so far below the arrival rate that the queue drains within half a second.
    private mutating func drain(_ now: Instant) {
        let share = min(yielding, max(0.3, 1 - queue.queue.inSeconds * 2.5))
        let before = target
        guard back(off: share, now: now) else { return }
        if beforeQueue == nil || !queue.isStanding { beforeQueue = before }
        if queue.isStanding { queue.sendsLess(now: now) }
    }

    /// The backoff factor: lower if other flows seem to use the rest of the path, and the lower the larger this flow's
    /// share, so that all flows converge to equal shares.
    private var yielding: Double {
        guard let highest, let carried else { return Self.backoff }
        let share = Double(carried.bitsPerSecond) / Double(max(1, highest.rate.bitsPerSecond))
        return share > 0.93 ? Self.backoff : Self.backoff - 0.3 * (share - 0.5)
    }

    /// Lowers the target to a share of the arrival rate. The time between two decreases is at least a round trip plus
    /// 100 ms, or plus 30 ms if the arrival rate has fallen below half of the target.
    ///
    /// - Returns: false if the last decrease was too recent.
    @discardableResult
    private mutating func back(off share: Double, now: Instant) -> Bool {
        let arrived = carriedLately ?? Bitrate(bitsPerSecond: target.bitsPerSecond * 7 / 10)
        let isUrgent = arrived.bitsPerSecond * 2 < target.bitsPerSecond
        if let lastDecrease, now - lastDecrease < roundTrip + .milliseconds(isUrgent ? 30 : 100) { return false }
        full.note(arrived)
        hasBeenFull = true
        lastDecrease = now
        lastGrowth = now
        let lower = arrived.scaled(by: share)
        bursts = BurstCapacity()
        if lower < target { set(lower) }
        return true
    }

    /// The sending rate that corresponds to the arrival rate.
    private var carried: Bitrate? { acknowledged.rate.map(sent(for:)) }

    private var carriedLately: Bitrate? {
        guard let long = acknowledged.rate else { return nil }
        // A rate over a short time is uncertain: it counts only if it shows a fall.
        return sent(for: lately.rate.map { $0.bitsPerSecond * 2 < long.bitsPerSecond ? $0 : long } ?? long)
    }

    /// Converts an arrival rate to the sending rate, by the path's own loss, which does not depend on the rate.
    private func sent(for arrived: Bitrate) -> Bitrate { arrived.scaled(by: 1 / (1 - loss.inherent)) }

    private mutating func grow(_ now: Instant) {
        let elapsed = min(1, lastGrowth.map { (now - $0).inSeconds } ?? 0)
        lastGrowth = now
        guard !isLimitedByApplication else { return }
        let rate = Double(target.bitsPerSecond)
        full.forget(below: rate)
        var higher: Double
        if full.isNear(rate) {
            // Growth near the rate at which the path was full is additive and equal for all flows, so that all converge
            // to equal shares.
            let answer = roundTrip + .milliseconds(100)
            let steepest = rivals.fill ? .infinity : rate * Self.steepest
            higher = rate + min(steepest, Self.step / answer.inSeconds) * elapsed
        } else {
            higher = rate * (1 + (Self.growth - 1) * elapsed) + 1000 * elapsed
        }
        if let carried { higher = min(higher, Double(carried.bitsPerSecond) * 1.5 + 10_000) }
        guard higher > rate else { return }
        set(Bitrate(bitsPerSecond: Int(higher)))
    }

    private func isRecovering(_ now: Instant) -> Bool {
        if !hasBeenFull { return true }
        guard let best = bestLately(now) else { return false }
        return target.bitsPerSecond * 5 < best.bitsPerSecond * 4
    }

    /// The highest rate carried recently enough to be worth probing for.
    private func bestLately(_ now: Instant) -> Bitrate? {
        highest.flatMap { now - $0.at < Self.memory ? $0.rate : nil }
    }

    private var isLimitedByApplication: Bool {
        guard let rate = sentRate.rate else { return true }
        return Double(rate.bitsPerSecond) < Double(target.bitsPerSecond) * Self.applicationShare
    }

    private mutating func set(_ rate: Bitrate) {
        target = min(configuration.most, max(configuration.least, rate))
    }

    // MARK: Timers

    /// Returns the probe to send now, if any.
    package mutating func pollProbe(now: Instant) -> Probe? { probes.poll(now: now) }

    /// The time without feedback on sent packets after which the rate falls.
    private var patience: Duration { max(Self.silence, roundTrip * 3) }

    package mutating func tick(now: Instant) {
        guard let unanswered, isMeasured else { return }
        guard now - unanswered >= patience else { return }
        // The last feedback may have been lost, and no further feedback follows while nothing is sent.
        guard now - lastSent < patience else {
            self.unanswered = nil
            return
        }
        self.unanswered = now
        set(Bitrate(bitsPerSecond: target.bitsPerSecond * 4 / 5))
    }

    package var deadline: Deadline? {
        guard isMeasured else { return nil }
        return unanswered.map { Deadline(at: $0 + patience, why: "feedback is overdue") }
    }
}
