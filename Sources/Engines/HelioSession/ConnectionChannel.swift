/// The channels of interleaved frames on a signalling connection.
enum ConnectionChannel: UInt8, Sendable {
    /// SRTP and SRTCP, as they would go by UDP.
    case media = 0
    /// The sealed datagrams of the control channel.
    case control = 1

    /// The longest datagram that is taken from a frame; no UDP socket of ours takes longer ones either.
    static let largestDatagram = 2048
}
