import HelioRTSP

/// The channel numbers of interleaved RTSP frames on a signalling connection.
enum ConnectionChannel: UInt8, Sendable {
    /// SRTP and SRTCP packets, the same as over UDP.
    case media = 0
    /// The sealed datagrams of the control channel.
    case control = 1
    /// The messages of the transfer channel, for clipboard and files; each frame is one message.
    case transfer = 2

    /// The maximum size in bytes of a media or control datagram in a frame; our UDP sockets have the same limit.
    static let largestDatagram = 2048
    /// The limit of unsent bytes, at each end, for transfer messages. It is small, as everything sent later waits
    /// behind them.
    static let transferWindow = 32 << 10

    /// The Transport header by which both ends agree on the transfer channel.
    static let transferHeader: TransportHeader = {
        var header = TransportHeader(StreamOffer.transferTransport)
        header.interleaved = transfer.rawValue...transfer.rawValue
        return header
    }()

    /// A frame of this channel, as written to the connection.
    func frame(_ bytes: [UInt8]) -> [UInt8] { RTSPMessage.interleaved(channel: rawValue, bytes).serialised() }
}
