import HelioRTSP

/// The channels of interleaved frames on a signalling connection.
enum ConnectionChannel: UInt8, Sendable {
    /// SRTP and SRTCP packets, the same as over UDP.
    case media = 0
    /// The sealed datagrams of the control channel.
    case control = 1
    /// The messages of the transfer channel, for clipboard and files; each frame is one message.
    case transfer = 2

    /// The longest datagram of media or control that is accepted from a frame; our UDP sockets have the same limit.
    static let largestDatagram = 2048
    /// The limit of unsent bytes with transfers, at either end, as everything sent later waits for them.
    static let transferWindow = 32 << 10

    /// The header by which both ends agree on the transfer channel.
    static let transferHeader: TransportHeader = {
        var header = TransportHeader(StreamOffer.transferTransport)
        header.interleaved = transfer.rawValue...transfer.rawValue
        return header
    }()

    /// A frame of this channel, as written to the connection.
    func frame(_ bytes: [UInt8]) -> [UInt8] { RTSPMessage.interleaved(channel: rawValue, bytes).serialised() }
}
