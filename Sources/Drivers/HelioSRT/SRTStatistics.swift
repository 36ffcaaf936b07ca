import HelioCore

/// What a sender by SRT has sent, and what came of it. Totals go on over connections, the rest is of the present one.
package struct SRTStatistics: Sendable, Hashable, DropReporting {
    package var roundTrip = Duration.zero
    /// Bits a second, over the last second or so.
    package var rate = 0.0
    /// The latency that both ends have agreed on.
    package var latency = Duration.zero
    /// The time between the oldest and the newest message that was not acknowledged.
    package var unacknowledged = Duration.zero
    package var sentBytes: Int64 = 0
    package var sentPackets: Int64 = 0
    /// Packets that the other end asked for again.
    package var retransmittedPackets: Int64 = 0
    package var lostPackets: Int64 = 0
    /// Packets that libsrt dropped by itself: none, unless its buffer overflows.
    package var latePackets: Int64 = 0
    package var connections = 0
    /// What the queue dropped, by name.
    package var drops: [String: Int] = [:]

    package init() {}
}
