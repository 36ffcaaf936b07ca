package import HelioCore
package import HelioRTP

/// Estimates the bandwidth of the path to the peer by the best feedback that the peer sends: transport-wide feedback,
/// otherwise its own estimate (REMB), otherwise the loss in its reports. With both transport-wide feedback and REMB,
/// the lower estimate counts.
package struct BandwidthEstimator: Sendable {
    /// The time after which a REMB that was not repeated expires.
    private static let validity = Duration.seconds(5)
    /// The maximum difference between an arrival time and the present at which it counts as plausible, once the clocks
    /// are matched.
    private static let plausible = Duration.seconds(10)

    package var record = TransportSendRecord()
    /// The loss of the path, by the peer's feedback.
    package private(set) var losses = PathLoss()
    /// The packet copies that the last feedback reported as missing, and no earlier feedback had reported.
    package private(set) var missing: [PacketCopy] = []
    /// The packet copies that the last feedback reported as received, and no earlier feedback had.
    package private(set) var arrived: [PacketCopy] = []
    /// The minimum time from sending a packet to its acknowledgement: a round trip plus the peer's wait before it sends
    /// feedback.
    package private(set) var answerTime: Duration?
    package private(set) var controller: CongestionController
    private var most: Bitrate
    /// True if the peer sends transport-wide feedback.
    private var hasFeedback = false
    /// The offset from the peer's clock of arrivals to this end's clock, in nanoseconds.
    private var clockOffset: Int64?
    private var highestTold: UInt64?
    private var told: (bitrate: Bitrate, at: Instant)?
    /// The rate derived from reported loss alone, for peers that send no other feedback.
    private var reported: Bitrate?
    private var reportLoss = ReportedLoss()
    package private(set) var estimate: Bitrate

    /// - Parameters:
    ///   - isTransportWide: true if transport-wide feedback was negotiated, so that the path can be started at a low
    ///     rate.
    ///   - start: the rate that the first path is known to carry; `nil` if it is unknown.
    package init(most: Bitrate, start: Bitrate? = nil, isTransportWide: Bool) {
        self.most = most
        var configuration = CongestionController.Configuration(most: most)
        configuration.start = start
        controller = CongestionController(configuration)
        hasFeedback = isTransportWide
        estimate = isTransportWide ? controller.target : most
    }

    /// Notes whether the peer sends transport-wide feedback from now on.
    package mutating func setTransportWide(_ isTransportWide: Bool, now: Instant) {
        guard isTransportWide != hasFeedback else { return }
        hasFeedback = isTransportWide
        update(now)
    }

    /// Sets another agreed rate, which is the ceiling.
    package mutating func setMost(_ most: Bitrate, now: Instant) {
        self.most = most
        controller.setMost(most)
        update(now)
    }

    /// Begins a new path: its rate and loss are unknown.
    package mutating func open(now: Instant) {
        controller.open(now: now)
        losses.forget()
        answerTime = nil
    }

    /// Switches to another transport to the same peer, keeping the estimated rate.
    package mutating func changeTransport(now: Instant) {
        open(now: now)
        controller.changeTransport(now: now)
    }

    /// Halves the target, as the path has become worse.
    package mutating func halve(now: Instant) {
        controller.halve()
        update(now)
    }

    package mutating func setRoundTrip(_ time: Duration) { controller.setRoundTrip(time) }

    /// Records a sent packet of `size` bytes under the next transport-wide sequence number.
    package mutating func sent(_ size: Int, probe: UInt32?, copy: PacketCopy? = nil, now: Instant) {
        record.note(size: size, probe: probe, copy: copy, sent: now)
        controller.sent(size, now: now)
    }

    /// Handles REMB: the peer's estimate of the bandwidth from this end to the peer.
    package mutating func handle(_ remb: ReceiverEstimatedBitrate, now: Instant) {
        told = (remb.bitrate.believed(upTo: most), now)
        update(now)
    }

    /// Handles a report block's loss, which counts only without better feedback.
    package mutating func handle(_ block: ReportBlock, now: Instant) {
        reported = reportLoss.rate(
            after: Double(block.fractionLost) / 256, from: reported ?? most, most: most, now: now)
        update(now)
    }

    /// Handles transport-wide feedback: records which packets arrived or were lost, and updates the estimate.
    ///
    /// - Returns: the reason to count the feedback as a drop; `nil` if it was valid.
    package mutating func handle(_ feedback: TransportFeedback, now: Instant) -> MediaDrop? {
        missing.removeAll(keepingCapacity: true)
        arrived.removeAll(keepingCapacity: true)
        guard let base = record.widened(feedback.base) else { return .strayFeedback }
        let (reference, isPlausible) = matched(feedback, now: now)
        var arrival = reference
        var results: [PacketResult] = []
        results.reserveCapacity(feedback.deltas.count)
        var expected = 0
        var lost = 0
        for (index, delta) in feedback.deltas.enumerated() {
            let number = base + UInt64(index)
            if let delta { arrival = arrival + TransportFeedback.tick * Int(delta) }
            guard var entry = record[number] else { continue }
            if number > highestTold ?? 0 {
                // Packets whose feedback was lost on the way are skipped: loss is judged by the later packets.
                highestTold = number
                losses.note(sent: entry.sent, arrival: delta == nil ? nil : arrival, now: now)
                expected += 1
                lost += 1
                entry.fate = .lost
                if delta == nil, let copy = entry.copy { missing.append(copy) }
                // A lost packet counts for the probe that it was part of.
                if delta == nil, entry.probe != nil {
                    results.append(
                        PacketResult(size: Int(entry.size), sent: entry.sent, arrival: nil, probe: entry.probe))
                }
            }
            if delta != nil, entry.fate != .received {
                if entry.fate == .lost { lost -= 1 }
                entry.fate = .received
                if let copy = entry.copy { arrived.append(copy) }
                answerTime = min(answerTime ?? .seconds(3600), now - entry.sent)
                if isNear(arrival, now) {
                    results.append(
                        PacketResult(size: Int(entry.size), sent: entry.sent, arrival: arrival, probe: entry.probe))
                }
            }
            record[number] = entry
        }
        hasFeedback = true
        controller.handle(results, expected: expected, lost: lost, now: now)
        update(now)
        return isPlausible ? nil : .implausibleFeedback
    }

    /// Maps the feedback's reference time to this end's clock. Returns false if the peer's clock has jumped; the clocks
    /// are then matched again.
    private mutating func matched(_ feedback: TransportFeedback, now: Instant) -> (Instant, Bool) {
        let unit = TransportFeedback.referenceUnit.nanoseconds
        guard let offset = clockOffset else { return (match(feedback, now), true) }
        // The 24-bit reference time wraps around: of the possible times, the nearest to the present is right.
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

    /// The rate to set the pacer to: at least the estimate, and more if the path carries bursts.
    package var pacingRate: Bitrate {
        guard hasFeedback else { return Bitrate(bitsPerSecond: estimate.bitsPerSecond * 5 / 2) }
        return max(estimate, controller.pacingRate)
    }

    /// True while a keyframe would only lengthen a queue that is already too long.
    package func isOverfull(now: Instant) -> Bool { hasFeedback && controller.isOverfull(now: now) }

    /// The time at which `isOverfull` may end without further feedback; `nil` if it is false.
    package func overfullDeadline(now: Instant) -> Deadline? {
        guard isOverfull(now: now) else { return nil }
        return controller.overfullEnds.map { Deadline(at: $0, why: "the queue may be gone") }
    }

    /// The rate that the path was measured to carry lately; `nil` if it was never measured.
    package var carried: Bitrate? { controller.proven }

    package mutating func pollProbe(now: Instant) -> Probe? { hasFeedback ? controller.pollProbe(now: now) : nil }

    package mutating func tick(now: Instant) {
        controller.tick(now: now)
        update(now)
    }

    package var deadline: Deadline? { controller.deadline }

    /// Recomputes the estimate; expired feedback no longer counts.
    package mutating func update(_ now: Instant) {
        var lowest = most
        if hasFeedback { lowest = min(lowest, controller.target) }
        if let told, now - told.at <= Self.validity { lowest = min(lowest, told.bitrate) }
        if !hasFeedback, told == nil, let reported { lowest = min(lowest, reported) }
        estimate = lowest
    }
}
