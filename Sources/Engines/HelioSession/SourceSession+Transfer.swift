import HelioCore
import HelioRTSP

// The transfer channel inside a viewer's connection, which TLS encrypts: it carries the clipboard.

extension SourceSession {
    /// Opens the channel: a viewer asks for it by SETUP, once it plays.
    func openTransfer(_ request: RTSPRequest, host: any SessionHost) {
        // A clipboard that is shared with itself would wait for its own content.
        if let place = host.clipboardPlace, request.headers[SinkSession.placeHeader] == place {
            return respond(.forbidden, to: request)
        }
        let transports = request.headers["Transport"].flatMap(TransportHeader.list) ?? []
        let wanted = ConnectionChannel.transferHeader
        guard
            transports.contains(where: {
                $0.transport.uppercased() == wanted.transport && $0.interleaved == wanted.interleaved
            })
        else { return respond(.unsupportedTransport, to: request) }
        respond(.ok, to: request, ["Transport": wanted.value, "Session": sessionHeader])
        guard !hasTransfer else { return }
        hasTransfer = true
        demand(.transfer(.opened))
        tellTransferRoom()
    }

    /// Sends a message of the transfer channel, for which there has been room.
    package func send(transfer message: [UInt8]) {
        guard state.isWatching, hasTransfer else { return }
        demand(.send(ConnectionChannel.transfer.frame(message)))
    }

    func tellTransferRoom() {
        if hasTransfer { demand(.transfer(.room(max(0, ConnectionChannel.transferWindow - unsentBytes)))) }
    }
}
