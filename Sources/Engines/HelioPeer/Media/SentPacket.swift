import HelioCore

/// What is needed to send a packet's payload again; the payload itself is shared with all who got it.
struct SentPacket: Sendable {
    /// The buffer that the payload lies in.
    let bytes: [UInt8]
    let payload: Range<Int>
    let timestamp: UInt32
    let marker: Bool
    /// Of the stream of retransmissions.
    let retransmissionType: PayloadType
    let sent: Instant
    var resends: UInt8 = 0
    var lastResent: Instant?
}
