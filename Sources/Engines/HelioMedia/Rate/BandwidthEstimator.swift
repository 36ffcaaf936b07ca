package import HelioCore
package import HelioRTP

/// An estimate of what the path to the peer carries, from whatever the peer tells: transport-wide feedback best of all,
/// else its own estimate (REMB), else the loss in its reports. Where several are known the lowest counts.
package struct BandwidthEstimator: Sendable {
    /// The time after which the peer's own estimate, not repeated, counts no longer.
    private static let validity = Duration.seconds(5)
    /// The largest distance from now, once the clocks are matched, at which an arrival time is believed.
    private static let plausible = Duration.seconds(10)

    package var record = TransportSendRecord()
    /// What the path loses, by the peer's feedback.
    package private(set) var losses = PathLoss()
    /// The copies of packets that the last feedback was the first to tell of, and that had not come by then.
    package private(set) var missing: [PacketCopy] = []
    /// The least time from sending a packet to hearing that it came: a round trip, and the wait for feedback.
    package private(set) var answerTime: Duration?
    package private(set) var controller: CongestionController
    private var most: Bitrate
    /// True once the peer has told of single packets.
    private var hasFeedback = false
    /// The offset from the peer's clock of arrivals to ours.
    private var clockOffset: Int64?
    private var highestTold: UInt64?
    private var told: (bitrate: Bitrate, at: Instant)?
    /// What reports of loss alone leave of the agreed rate.
    private var reported: Bitrate?
    private var reportLoss = ReportedLoss()
    package private(set) var estimate: Bitrate

    /// - Parameters:
    ///   - isTransportWide: true where the peer has agreed to tell of single packets, so that the path is begun
    ///     with care.
    ///   - start: the rate that the first path is known to carry; `nil` where nothing is known.
    package init(most: Bitrate, start: Bitrate? = nil, isTransportWide: Bool) {
        self.most = most
        var configuration = CongestionController.Configuration(most: most)
        configuration.start = start
        controller = CongestionController(configuration)
        hasFeedback = isTransportWide
        estimate = isTransportWide ? controller.target : most
    }

    /// The peer tells of single packets from now on, or does not.
    package mutating func setTransportWide(_ isTransportWide: Bool, now: Instant) {
        guard isTransportWide != hasFeedback else { return }
        hasFeedback = isTransportWide
        update(now)
    }

    /// Sets another agreed rate.
    package mutating func setMost(_ most: Bitrate, now: Instant) {
        self.most = most
        controller.setMost(most)
        update(now)
    }

    /// Begins a path of which nothing is known.
    package mutating func open(now: Instant) {
        controller.open(now: now)
        losses.forget()
        answerTime = nil
    }

    /// Begins another transport to the same place, with what is known of the rate.
    package mutating func changeTransport(now: Instant) {
        open(now: now)
        controller.changeTransport(now: now)
    }

    /// Sends half as much from now on: the path has turned bad (row 14).
    package mutating func halve(now: Instant) {
        controller.halve()
        update(now)
    }

    package mutating func setRoundTrip(_ time: Duration) { controller.setRoundTrip(time) }

    /// Notes a packet that leaves, by its transport-wide number.
    package mutating func sent(_ size: Int, probe: UInt32?, copy: PacketCopy? = nil, now: Instant) {
        record.note(size: size, probe: probe, copy: copy, sent: now)
        controller.sent(size, now: now)
    }

    /// Takes the peer's estimate of all that comes from here (REMB).
    package mutating func handle(_ remb: ReceiverEstimatedBitrate, now: Instant) {
        told = (remb.bitrate.believed(upTo: most), now)
        update(now)
    }

    /// Takes a report block's loss, which counts where there is nothing better.
    package mutating func handle(_ block: ReportBlock, now: Instant) {
        reported = reportLoss.rate(
            after: Double(block.fractionLost) / 256, from: reported ?? most, most: most, now: now)
        update(now)
    }

    /// - Returns: what was wrong with the feedback, if anything.
    package mutating func handle(_ feedback: TransportFeedback, now: Instant) -> MediaDrop? {
        missing.removeAll(keepingCapacity: true)
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
                // What no feedback spoke of, as that one was lost itself, is judged by this one alone.
                highestTold = number
                losses.note(sent: entry.sent, arrival: delta == nil ? nil : arrival, now: now)
                expected += 1
                lost += 1
                entry.fate = .lost
                if delta == nil, let copy = entry.copy { missing.append(copy) }
                // One that is lost counts for the probe that it was sent in.
                if delta == nil, entry.probe != nil {
                    results.append(
                        PacketResult(size: Int(entry.size), sent: entry.sent, arrival: nil, probe: entry.probe))
                }
            }
            if delta != nil, entry.fate != .received {
                if entry.fate == .lost { lost -= 1 }
                entry.fate = .received
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

    /// The rate at which packets leave.
    package var pacingRate: Bitrate {
        guard hasFeedback else { return Bitrate(bitsPerSecond: estimate.bitsPerSecond * 5 / 2) }
        return max(estimate, controller.pacingRate)
    }

    /// True while a keyframe would only make a full queue longer.
    package func isOverfull(now: Instant) -> Bool { hasFeedback && controller.isOverfull(now: now) }

    /// When `isOverfull` is to be asked again, where nothing is heard before.
    package func overfullDeadline(now: Instant) -> Deadline? {
        guard isOverfull(now: now) else { return nil }
        return controller.overfullEnds.map { Deadline(at: $0, why: "the queue may be gone") }
    }

    /// The rate that the path was seen to carry lately; `nil` where it was never measured.
    package var carried: Bitrate? { controller.proven }

    package mutating func pollProbe(now: Instant) -> Probe? { hasFeedback ? controller.pollProbe(now: now) : nil }

    package mutating func tick(now: Instant) {
        controller.tick(now: now)
        update(now)
    }

    package var deadline: Deadline? { controller.deadline }

    /// Brings the estimate up to date; what is out of date counts no longer.
    package mutating func update(_ now: Instant) {
        var lowest = most
        if hasFeedback { lowest = min(lowest, controller.target) }
        if let told, now - told.at <= Self.validity { lowest = min(lowest, told.bitrate) }
        if !hasFeedback, told == nil, let reported { lowest = min(lowest, reported) }
        estimate = lowest
    }
}
