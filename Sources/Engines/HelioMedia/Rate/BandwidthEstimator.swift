package import HelioCore
package import HelioRTP

/// An estimate of what the path to the peer carries: from transport-wide feedback and from the peer's own estimate
/// (REMB). Where both are known the lower counts.
///
/// The peer's arrival times go to the same ``ReceiveRateController`` that judges a path at its receiving end: it needs
/// only the differences of two clocks.
package struct BandwidthEstimator: Sendable {
    /// The time after which feedback that the peer has not repeated counts no longer.
    private static let validity = Duration.seconds(5)
    /// The largest distance from now, once the clocks are matched, at which an arrival time is believed.
    private static let plausible = Duration.seconds(10)

    package var record = TransportSendRecord()
    private var controller: ReceiveRateController
    private let most: Bitrate
    /// The offset from the peer's clock of arrivals to ours.
    private var clockOffset: Int64?
    private var highestTold: UInt64?
    private var expected = 0
    private var lost = 0
    private var lastFeedback: Instant?
    private var told: (bitrate: Bitrate, at: Instant)?
    package private(set) var estimate: Bitrate

    package init(most: Bitrate) {
        self.most = most
        controller = ReceiveRateController(configuration: .init(most: most))
        estimate = most
    }

    /// Takes the peer's estimate of all that comes from here (REMB).
    package mutating func handle(_ remb: ReceiverEstimatedBitrate, now: Instant) {
        told = (remb.bitrate.believed(upTo: most), now)
        update(now)
    }

    /// - Returns: what was wrong with the feedback, if anything.
    package mutating func handle(_ feedback: TransportFeedback, now: Instant) -> MediaDrop? {
        guard let base = record.widened(feedback.base) else { return .strayFeedback }
        let (reference, isPlausible) = matched(feedback, now: now)
        var arrival = reference
        var latest: Instant?
        for (index, delta) in feedback.deltas.enumerated() {
            let number = base + UInt64(index)
            if let delta { arrival = arrival + TransportFeedback.tick * Int(delta) }
            guard var entry = record[number] else { continue }
            if number > highestTold ?? 0 {
                highestTold = number
                expected += 1
                lost += 1
                entry.fate = .lost
            }
            if delta != nil, entry.fate != .received {
                if entry.fate == .lost { lost -= 1 }
                entry.fate = .received
                if isNear(arrival, now) {
                    controller.received(bytes: Int(entry.size), sent: entry.sent, arrival: arrival)
                    latest = max(latest ?? arrival, arrival)
                }
            }
            record[number] = entry
        }
        lastFeedback = now
        if let latest { _ = controller.evaluate(expected: expected, lost: lost, now: latest) }
        update(now)
        return isPlausible ? nil : .implausibleFeedback
    }

    /// Maps the feedback's reference time to our clock; `false` where its clock has jumped, which is then matched anew.
    private mutating func matched(_ feedback: TransportFeedback, now: Instant) -> (Instant, Bool) {
        let unit = TransportFeedback.referenceUnit.nanoseconds
        guard let offset = clockOffset else { return (match(feedback, now), true) }
        // Of all the times that 24 bits can stand for, the one that is nearest to now.
        let likely = (now.nanoseconds &- offset) / unit
        let ahead = Int64((Int32(truncatingIfNeeded: Int64(feedback.referenceTime) &- likely) << 8) >> 8)
        let reference = Instant(nanoseconds: (likely + ahead) * unit + offset)
        return isNear(reference, now) ? (reference, true) : (match(feedback, now), false)
    }

    private mutating func match(_ feedback: TransportFeedback, _ now: Instant) -> Instant {
        clockOffset = now.nanoseconds &- Int64(feedback.referenceTime) * TransportFeedback.referenceUnit.nanoseconds
        return now
    }

    private func isNear(_ arrival: Instant, _ now: Instant) -> Bool {
        abs((arrival - now).nanoseconds) <= Self.plausible.nanoseconds
    }

    /// Brings the estimate up to date; what is out of date counts no longer.
    package mutating func update(_ now: Instant) {
        var lowest = most
        if let lastFeedback, now - lastFeedback <= Self.validity { lowest = min(lowest, controller.suggestion) }
        if let told, now - told.at <= Self.validity { lowest = min(lowest, told.bitrate) }
        estimate = lowest
    }
}
