import HelioCore

/// Plans the bandwidth probes of one path, and judges their results.
///
/// A path is probed when it is new, when it has carried more lately than the present target, and, seldom, when the
/// application sends too little for the path's rate to show.
struct ProbePlanner: Sendable {
    /// The duration of a probe. A train, which opens a path, is as short as possible instead.
    private static let span = Duration.milliseconds(12)
    private static let leastPackets = 5
    private static let trainPackets = 7
    /// The rate of a train's packets: as fast as the socket takes them.
    private static let trainRate = Bitrate.megabits(100)
    private static let trainBytes = 7 * 255
    /// A probe passes if at least this share of its sending rate arrives.
    private static let passes = 0.85
    /// The time between two probes of a path that carried more lately; twice this time after a probe that did not pass.
    private static let recoverySpacing = Duration.milliseconds(500)
    /// The maximum time between two probes if other flows seem to use the missing bandwidth, as each probe disturbs
    /// them.
    private static let mostSpacing = Duration.seconds(8)
    /// The maximum time between two probes if the path carried several times as much lately: other flows seldom take so
    /// much, and the bandwidth may be back at any time.
    private static let mostSlumpSpacing = Duration.seconds(1)
    /// The time between two probes of a path that the application does not use up.
    private static let idleSpacing = Duration.seconds(4)
    private static let patience = Duration.seconds(1)

    enum Outcome: Sendable {
        /// The path carried this rate for the length of the probe; `passed` is false if clearly less arrived than was
        /// sent.
        case carries(Bitrate, passed: Bool)
        /// The arrival rate of the opening train.
        case train(Bitrate)
    }

    private struct Sent {
        var probe: Probe
        var isTrain: Bool
        var at: Instant
        var firstSent: Instant?
        var lastSent = Instant.zero
        var firstArrival: Instant?
        var lastArrival = Instant.zero
        var lastSize = 0
        var firstSize = 0
        var bytes = 0
        var packets = 0
    }

    private var nextID: UInt32 = 1
    private var wanted: (rate: Bitrate, isTrain: Bool)?
    private var sent: Sent?
    private var lastProbe: Instant?
    private var spacing = ProbePlanner.recoverySpacing

    /// Plans the opening train, which measures a new path for the first time.
    mutating func open() {
        sent = nil
        wanted = (Self.trainRate, true)
    }

    /// Requests a probe at this rate as soon as none is under way.
    mutating func want(_ rate: Bitrate) { wanted = (rate, false) }

    /// Adapts the time between probes to the result of the last probe.
    ///
    /// - Parameters:
    ///   - isShared: true if clearly more than the target arrived, but less than was sent: another flow uses the rest,
    ///     or the path's rate has grown by less than the probe tried.
    ///   - isSlump: true if the path carried several times as much lately.
    mutating func judged(passed: Bool, isShared: Bool, isSlump: Bool) {
        if passed {
            spacing = Self.recoverySpacing
        } else {
            let most = isSlump ? Self.mostSlumpSpacing : Self.mostSpacing
            spacing = isShared ? min(most, spacing * 2) : Self.recoverySpacing * 2
        }
    }

    /// Requests a regular probe, if one is due.
    ///
    /// - Parameters:
    ///   - isRecovering: true if the path has carried more lately.
    ///   - most: the agreed rate.
    mutating func consider(
        target: Bitrate, most: Bitrate, isRecovering: Bool, isLimitedByApplication: Bool, now: Instant
    ) {
        guard wanted == nil, sent == nil, target.bitsPerSecond * 10 < most.bitsPerSecond * 9,
            isRecovering || isLimitedByApplication
        else { return }
        let spacing = isRecovering ? spacing : Self.idleSpacing
        guard lastProbe.map({ now - $0 >= spacing }) ?? true else { return }
        want(min(most, Bitrate(bitsPerSecond: target.bitsPerSecond * 2)))
    }

    /// Returns the probe to send now, if any.
    mutating func poll(now: Instant) -> Probe? {
        if let open = sent, now - open.at > Self.patience { sent = nil }
        guard sent == nil, let (rate, isTrain) = wanted else { return nil }
        wanted = nil
        defer { nextID &+= 1 }
        let probe = Probe(
            id: nextID, rate: rate,
            bytes: isTrain ? Self.trainBytes : Int(Double(rate.bitsPerSecond) / 8 * Self.span.inSeconds),
            packets: isTrain ? Self.trainPackets : Self.leastPackets)
        sent = Sent(probe: probe, isTrain: isTrain, at: now)
        lastProbe = now
        return probe
    }

    /// Records the arrival or loss of a packet.
    ///
    /// - Returns: the outcome, once enough of the probe has arrived.
    mutating func take(_ result: PacketResult) -> Outcome? {
        guard let id = result.probe, var open = sent, open.probe.id == id else { return nil }
        open.bytes += result.size
        open.packets += 1
        open.lastSent = max(open.lastSent, result.sent)
        guard let arrival = result.arrival else {
            sent = open
            return nil
        }
        if open.firstSent == nil {
            open.firstSent = result.sent
            open.firstArrival = arrival
            open.firstSize = result.size
        }
        open.lastArrival = max(open.lastArrival, arrival)
        open.lastSize = result.size
        sent = open
        // Feedback on the last packets may arrive later, so 80 % of the probe are enough.
        guard open.bytes * 10 >= open.probe.bytes * 8, open.packets * 10 >= open.probe.packets * 8,
            let firstSent = open.firstSent, let firstArrival = open.firstArrival
        else { return nil }
        sent = nil
        let least = Duration.microseconds(250)
        let sending = Double(open.bytes - open.lastSize) * 8 / max(least, open.lastSent - firstSent).inSeconds
        let arriving = Double(open.bytes - open.firstSize) * 8 / max(least, open.lastArrival - firstArrival).inSeconds
        let rate = Bitrate(bitsPerSecond: Int(min(sending, arriving)))
        return open.isTrain ? .train(rate) : .carries(rate, passed: arriving >= sending * Self.passes)
    }
}
