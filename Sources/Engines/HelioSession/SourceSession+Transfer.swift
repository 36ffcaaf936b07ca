import HelioCore
import HelioRTSP

// The transfer channel inside a viewer's connection, which TLS encrypts: it carries the clipboard.

extension SourceSession {
    /// The most bytes of transfers that the system has not taken yet. What is sent behind them waits for them.
    private static let transferWindow = 32 << 10

    /// Opens the channel: a viewer asks for it by SETUP, once it plays.
    func openTransfer(_ request: RTSPRequest, host: any SessionHost) {
        // A clipboard that is shared with itself would wait for its own content.
        if let place = host.clipboardPlace, request.headers[SinkSession.placeHeader] == place {
            return respond(.forbidden, to: request)
        }
        let transports = request.headers["Transport"].flatMap(TransportHeader.list) ?? []
        let channel = ConnectionChannel.transfer.rawValue
        guard
            transports.contains(where: {
                $0.transport.uppercased() == StreamOffer.transferTransport && $0.interleaved == channel...channel
            })
        else { return respond(.unsupportedTransport, to: request) }
        var reply = TransportHeader(StreamOffer.transferTransport)
        reply.interleaved = channel...channel
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
        guard !hasTransfer else { return }
        hasTransfer = true
        demand(.transfer(.opened))
        tellTransferRoom()
    }

    /// Sends a message of the transfer channel, for which there has been room.
    package func send(transfer message: [UInt8]) {
        guard state.isWatching, hasTransfer else { return }
        demand(.send(RTSPMessage.interleaved(channel: ConnectionChannel.transfer.rawValue, message).serialised()))
    }

    func tellTransferRoom() {
        if hasTransfer { demand(.transfer(.room(max(0, Self.transferWindow - unsentBytes)))) }
    }
}
