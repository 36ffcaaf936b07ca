/// The statistics of a sender that are specific to SRT. Totals include earlier connections; the other values are those
/// of the present connection.
package struct SRTStatistics: Sendable, Hashable {
    /// The latency that both ends have agreed on.
    package var latency = Duration.zero
    /// The time between the oldest and the newest unacknowledged message.
    package var unacknowledged = Duration.zero
    /// The send rate in bits per second over about the last second, headers and retransmissions included.
    package var rate = 0.0
    package var sentPackets: Int64 = 0
    /// The number of packets retransmitted at the peer's request.
    package var retransmittedPackets: Int64 = 0
    package var lostPackets: Int64 = 0
    /// The number of packets that libsrt dropped from its send buffer; 0 unless the buffer overflows.
    package var latePackets: Int64 = 0

    package init() {}
}
