import HelioRTSP

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
    /// The most bytes of transfers that the system has not taken yet, at either end. What is sent behind them waits for
    /// them.
    static let transferWindow = 32 << 10

    /// The header by which both ends agree on the transfer channel.
    static let transferHeader: TransportHeader = {
        var header = TransportHeader(StreamOffer.transferTransport)
        header.interleaved = transfer.rawValue...transfer.rawValue
        return header
    }()

    /// A frame of this channel, as it goes on the connection.
    func frame(_ bytes: [UInt8]) -> [UInt8] { RTSPMessage.interleaved(channel: rawValue, bytes).serialised() }
}
