import HelioCore
import HelioRTP

/// Statistics of a stream whose packets are output in order of arrival (RFC 3550 appendix A.3 and section 6.4.1).
struct PacketStatistics: Sendable {
    private(set) var received = 0
    private(set) var bytes = 0
    private var lowest: UInt64 = .max
    private var highest: UInt64 = 0
    private var previous: (arrival: Instant, timestamp: UInt32)?
    /// Interarrival jitter in nanoseconds, times 16.
    private var scaledJitter: Int64 = 0
    private var reported = (expected: 0, received: 0)
    private let clockRate: Int64

    init(clockRate: UInt32) { self.clockRate = Int64(max(1, clockRate)) }

    var expected: Int { received == 0 ? 0 : Int(highest - lowest + 1) }
    var lost: Int { max(0, expected - received) }
    var jitter: Duration { .nanoseconds(scaledJitter / 16) }

    mutating func note(_ sequence: ExtendedSequence, timestamp: UInt32, size: Int, arrival: Instant) {
        received += 1
        bytes += size
        lowest = min(lowest, sequence.rawValue)
        highest = max(highest, sequence.rawValue)
        if let previous {
            let ticks = Int64(Int32(bitPattern: timestamp &- previous.timestamp))
            let difference = (arrival - previous.arrival).nanoseconds - ticks * 1_000_000_000 / clockRate
            scaledJitter += min(abs(difference), 10_000_000_000) - (scaledJitter + 8) / 16
        }
        previous = (arrival, timestamp)
    }

    /// Returns the block for the next report, without the fields about the last sender report, and begins a new
    /// interval.
    mutating func makeReport(_ ssrc: SSRC) -> ReportBlock {
        let interval = expected - reported.expected
        let missing = interval - (received - reported.received)
        reported = (expected, received)
        return ReportBlock(
            ssrc: ssrc, fractionLost: interval > 0 && missing > 0 ? UInt8(clamping: missing * 256 / interval) : 0,
            cumulativeLost: Int32(clamping: expected - received),
            highestSequence: UInt32(truncatingIfNeeded: highest),
            jitter: UInt32(clamping: scaledJitter / 16 / 1000 * clockRate / 1_000_000), lastSenderReport: 0,
            delaySinceLastSenderReport: 0)
    }
}
