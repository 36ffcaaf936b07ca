package import HelioCore

/// Estimates the path's rate at the receiver, for REMB to peers whose packets have no transport-wide numbers. All other
/// peers, including native sources, get transport-wide feedback and estimate the rate themselves.
///
/// Loss is judged over a whole control interval and over no fewer than `leastPackets` packets; a shorter interval is
/// extended. The rule is the loss-based one of draft-ietf-rmcat-gcc-02 section 6: above 10 % the rate is cut by half
/// the loss, below 2 % it grows, in between it stays. In addition, a standing queue cuts the rate to 85 % of the
/// arrival rate, long before a deep queue overflows. A queue stands if the one-way delay exceeds the minimum of the
/// last minute for a whole interval. This needs only the *differences* of arrival and sending times: the clocks may
/// have any offset.
package struct ReceiveRateController: Sendable {
    package struct Configuration: Sendable, Hashable {
        package var least: Bitrate = .leastBelieved
        /// The agreed bitrate: the initial suggestion, and the ceiling.
        package var most: Bitrate
        package var interval: Duration = .seconds(1)
        package var leastPackets = 50
        /// A queue counts as standing if the one-way delay of every packet of an interval exceeds the minimum of the
        /// last minute by more than this; `nil`: delay is ignored.
        package var standingQueue: Duration? = .milliseconds(60)

        package init(most: Bitrate) {
            self.most = most
        }
    }

    /// The cause of the last change of the suggestion, for statistics and traces.
    package enum Reason: String, Sendable {
        case loss
        case delay
        case growth
    }

    /// The present estimate of the path's rate, at most the agreed bitrate.
    package private(set) var suggestion: Bitrate
    private var configuration: Configuration
    private var intervalStart: Instant?
    private var bytes = 0
    private var counted = (expected: 0, lost: 0)
    /// The minimum one-way delay of this interval, in nanoseconds, plus an unknown but constant clock offset.
    private var leastDelay: Int64?
    /// The minimum delays of earlier intervals, newest last, for at most a minute.
    private var earlierDelays: [Int64] = []

    package init(configuration: Configuration) {
        self.configuration = configuration
        suggestion = configuration.most
    }

    /// Sets another agreed ceiling. A suggestion that was at the old ceiling moves to the new one.
    package mutating func setMost(_ most: Bitrate) {
        let isUnlimited = suggestion == configuration.most
        configuration.most = most
        suggestion = isUnlimited ? most : min(suggestion, most)
    }

    /// Records a received packet of `bytes` bytes.
    ///
    /// - Parameter sent: the sending time on the source's clock, if known. Omit it for retransmissions.
    package mutating func received(bytes: Int, sent: Instant?, arrival: Instant) {
        if intervalStart == nil { intervalStart = arrival }
        self.bytes += bytes
        if let sent {
            let delay = arrival.nanoseconds &- sent.nanoseconds
            leastDelay = min(leastDelay ?? delay, delay)
        }
    }

    /// Updates the suggestion once the interval is over; does nothing at any other time.
    ///
    /// - Parameters:
    ///   - expected: the packets expected since the session began, as the jitter buffer counts them (RFC 3550 A.3).
    ///   - lost: the number of these packets that were lost, including those that were retransmitted.
    /// - Returns: the reason if the suggestion changed.
    package mutating func evaluate(expected: Int, lost: Int, now: Instant) -> Reason? {
        guard let start = intervalStart, now - start >= configuration.interval,
            expected - counted.expected >= configuration.leastPackets
        else { return nil }
        let share = Double(max(0, lost - counted.lost)) / Double(expected - counted.expected)
        let seconds = (now - start).inSeconds
        let arrived = Double(bytes) * 8 / seconds
        let hasQueue = hasStandingQueue()
        let previous = suggestion
        let rate = Double(suggestion.bitsPerSecond)
        var reason = Reason.growth
        if share > 0.1 {
            reason = .loss
            set(rate * (1 - share / 2))
        } else if hasQueue, arrived < rate {
            reason = .delay
            set(max(arrived * 0.85, rate / 2))
        } else if share < 0.02, !hasQueue {
            // The growth is 8 % a second, for at most two seconds, however long the interval became.
            set(rate * (1 + 0.08 * min(seconds, 2)) + 1000)
        }
        intervalStart = now
        bytes = 0
        counted = (expected, lost)
        if let leastDelay { earlierDelays.append(leastDelay) }
        let kept = max(1, Int(60 / max(0.1, configuration.interval.inSeconds)))
        if earlierDelays.count > kept { earlierDelays.removeFirst(earlierDelays.count - kept) }
        leastDelay = nil
        return suggestion == previous ? nil : reason
    }

    private func hasStandingQueue() -> Bool {
        guard let limit = configuration.standingQueue, let leastDelay, let base = earlierDelays.min() else {
            return false
        }
        // The two delays contain the offset of the peer's clock, which may have any value: hence the wrapping
        // subtraction.
        return leastDelay &- base > limit.nanoseconds
    }

    private mutating func set(_ bitsPerSecond: Double) {
        suggestion = min(configuration.most, max(configuration.least, Bitrate(bitsPerSecond: Int(bitsPerSecond))))
    }
}
