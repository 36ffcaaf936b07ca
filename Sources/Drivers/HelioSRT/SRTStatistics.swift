/// What of a sender's statistics is SRT's own. Totals go on over connections, the rest is of the present one.
package struct SRTStatistics: Sendable, Hashable {
    /// The latency that both ends have agreed on.
    package var latency = Duration.zero
    /// The time between the oldest and the newest message that was not acknowledged.
    package var unacknowledged = Duration.zero
    /// The bits a second that went out over the last second or so, headers and repetitions included.
    package var rate = 0.0
    package var sentPackets: Int64 = 0
    /// Packets that the other end asked for again.
    package var retransmittedPackets: Int64 = 0
    package var lostPackets: Int64 = 0
    /// Packets that libsrt dropped by itself: none, unless its buffer overflows.
    package var latePackets: Int64 = 0

    package init() {}
}
