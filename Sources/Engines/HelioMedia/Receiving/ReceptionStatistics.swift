internal import HelioCore

/// Reception statistics of a stream, counted by RFC 3550 appendix A.3 and section 6.4.1, with one difference: packets
/// that arrived only as a retransmission count as `lost` and `recovered`, so that retransmission does not hide a bad
/// path.
package struct ReceptionStatistics: Sendable {
    /// Packets that the source has sent, by their sequence numbers.
    package private(set) var expected = 0
    /// Packets received, each counted once, including retransmissions.
    package private(set) var received = 0
    /// The packets among `received` that arrived as retransmissions.
    package private(set) var recovered = 0
    /// Packets that never arrived, but were restored from parity; not part of `received`.
    package private(set) var restored = 0
    /// The packets among `received` that arrived after a later one, but not as retransmissions.
    package private(set) var reordered = 0
    package private(set) var bytes = 0

    private var lowest: UInt64 = .max
    private var highest: UInt64 = 0
    private var previous: (arrival: Instant, timestamp: UInt32)?
    /// Interarrival jitter in nanoseconds, times 16.
    private var scaledJitter: Int64 = 0
    private var reported = Reported()

    private struct Reported {
        var expected = 0
        var lost = 0
    }

    /// Packets lost on the way, including those that a retransmission recovered (requirement row 10).
    package var lost: Int { max(0, expected - received + recovered) }
    /// Interarrival jitter, RFC 3550 section 6.4.1, in ticks of 90 kHz.
    package var jitter: UInt32 { UInt32(clamping: scaledJitter / 16 * 9 / 100_000) }
    package var jitterDuration: Duration { .nanoseconds(scaledJitter / 16) }

    enum Path {
        case direct
        case overtaken
        case recovered
        case restored
    }

    mutating func note(_ packet: borrowing MediaPacket, path: Path) {
        let sequence = packet.sequence.rawValue
        lowest = min(lowest, sequence)
        highest = max(highest, sequence)
        expected = Int(highest - lowest + 1)
        if path == .restored {
            restored += 1
            return
        }
        received += 1
        bytes += packet.bytes.count
        switch path {
        case .direct, .restored: break
        case .overtaken: reordered += 1
        case .recovered:
            recovered += 1
            return  // A retransmission's transit time says nothing about the path's jitter.
        }
        // Padding has the timestamp of the frame before it, whenever it is sent.
        if packet.payload.isEmpty { return }
        if let previous {
            let ticks = Int64(Int32(bitPattern: packet.timestamp &- previous.timestamp))
            let difference = (packet.arrival - previous.arrival).nanoseconds - ticks * 100_000 / 9
            let bounded = min(abs(difference), 10_000_000_000)
            scaledJitter += bounded - (scaledJitter + 8) / 16
        }
        previous = (packet.arrival, packet.timestamp)
    }

    /// Returns the numbers for the next report, and begins a new interval.
    mutating func makeReport() -> ReceptionReport {
        let intervalExpected = expected - reported.expected
        let intervalLost = lost - reported.lost
        reported = Reported(expected: expected, lost: lost)
        let fraction = intervalExpected > 0 && intervalLost > 0 ? intervalLost * 256 / intervalExpected : 0
        return ReceptionReport(
            fractionLost: UInt8(clamping: fraction), cumulativeLost: Int32(min(lost, 0x7F_FFFF)),
            highestSequence: UInt32(truncatingIfNeeded: highest), jitter: jitter)
    }
}
