/// The channels of interleaved frames on a signalling connection.
enum ConnectionChannel: UInt8, Sendable {
    /// SRTP and SRTCP, as they would go by UDP.
    case media = 0
    /// The sealed datagrams of the control channel.
    case control = 1
    /// The messages of the transfer channel: the clipboard's. Each frame is one.
    case transfer = 2

    /// The longest datagram of media or control that is taken from a frame; no UDP socket of ours takes longer ones
    /// either.
    static let largestDatagram = 2048
}
