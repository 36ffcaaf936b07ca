package import HelioCore
package import HelioRTP

/// Records the arrival times of numbered packets, for transport-wide feedback
/// (draft-holmer-rmcat-transport-wide-cc-extensions-01).
///
/// Each packet is reported once; a packet that arrives after it was reported missing is reported again, with all
/// packets after it. Packets too old for that are left out, and so are numbers skipped by a jump.
package struct TransportArrivals: Sendable {
    /// The time between two feedback packets while packets arrive.
    private static let interval = Duration.milliseconds(50)
    /// The time between two feedback packets while the path is new, as the sender still measures its bandwidth.
    private static let firstInterval = Duration.milliseconds(10)
    private static let firstPackets: UInt64 = 200
    /// The number of packets that trigger feedback before the interval's end.
    private static let most = 64
    /// The largest number of packets remembered, reported or not.
    private static let mostPackets = 2048
    /// The largest number of reported packets remembered.
    private static let mostTold = 256
    /// The largest number of packets in one feedback packet: at most 2.3 bytes each, so that it fits a datagram.
    private static let mostInOne = 400

    /// The arrival times by number; `nil` for a packet that has not arrived.
    private var window = SequenceWindow<Instant?>()
    private var extender = SequenceExtender()
    /// The first number that has not been reported yet.
    private var untold: UInt64 = 0
    private var count: UInt8 = 0
    package private(set) var dueAt: Instant?
    private var received: UInt64 = 0
    private var waiting = 0

    package init() {}

    package mutating func note(_ wire: UInt16, arrival: Instant) {
        let sequence = extender.extended(wire)
        if extender.highest == nil {
            window.restart(at: sequence.rawValue)
            untold = sequence.rawValue
        }
        let number = sequence.rawValue
        if number >= window.end {
            extender.accept(sequence)
            if number - window.end >= UInt64(Self.mostPackets) {
                window.restart(at: number)
                untold = number
            }
            while window.end < number { window.append(nil) }
            window.append(arrival)
        } else {
            guard let known = window[number], known == nil else { return }
            window[number] = .some(arrival)
            untold = min(untold, number)
        }
        while window.count > Self.mostPackets { window.removeFirst() }
        untold = max(untold, window.first)
        received += 1
        waiting += 1
        let interval = received < Self.firstPackets ? Self.firstInterval : Self.interval
        if dueAt == nil { dueAt = arrival + interval }
        if waiting >= Self.most { dueAt = arrival }
    }

    /// Resets the record, as the peer accepts no more feedback.
    package mutating func forget() { self = Self() }

    /// Returns the feedback packets to send now; empty if none are due.
    package mutating func pollFeedback(sender: SSRC, media: SSRC, now: Instant) -> [TransportFeedback] {
        guard let dueAt, now >= dueAt else { return [] }
        self.dueAt = nil
        waiting = 0
        var packets: [TransportFeedback] = []
        while let feedback = nextFeedback(sender: sender, media: media) { packets.append(feedback) }
        while window.first + UInt64(Self.mostTold) < untold { window.removeFirst() }
        return packets
    }

    private mutating func nextFeedback(sender: SSRC, media: SSRC) -> TransportFeedback? {
        // The reference time is that of the first packet that arrived; if none did, there is nothing to report.
        let base = untold
        guard untold < window.end, let firstArrival = firstArrival(from: base) else {
            untold = window.end
            return nil
        }
        let reference = firstArrival.nanoseconds / TransportFeedback.referenceUnit.nanoseconds
        var ticks = reference * (TransportFeedback.referenceUnit.nanoseconds / TransportFeedback.tick.nanoseconds)
        var deltas: [Int16?] = []
        while untold < window.end, deltas.count < Self.mostInOne, let known = window[untold] {
            if let arrival = known {
                let at = arrival.nanoseconds / TransportFeedback.tick.nanoseconds
                // Deltas over 8 s don't fit: the rest goes into another packet with its own reference.
                guard let delta = Int16(exactly: at - ticks) else { break }
                ticks = at
                deltas.append(delta)
            } else {
                deltas.append(nil)
            }
            untold += 1
        }
        guard !deltas.isEmpty else { return nil }
        defer { count &+= 1 }
        return TransportFeedback(
            sender: sender, media: media, base: UInt16(truncatingIfNeeded: base),
            // The field has 24 bits and is signed; larger values wrap around.
            referenceTime: (Int32(truncatingIfNeeded: reference) << 8) >> 8, count: count, deltas: deltas)
    }

    private func firstArrival(from number: UInt64) -> Instant? {
        var number = number
        while number < window.end {
            if let known = window[number], let arrival = known { return arrival }
            number += 1
        }
        return nil
    }
}
