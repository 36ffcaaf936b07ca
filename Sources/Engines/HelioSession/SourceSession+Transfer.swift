package import HelioCore
import HelioRTSP

// The transfer channel inside a viewer's connection, which TLS encrypts: it carries clipboard and files.

extension SourceSession {
    /// Opens the transfer channel, which a playing viewer requests by SETUP.
    func openTransfer(_ request: RTSPRequest, host: any SessionHost) {
        // If both ends use the same clipboard, do not share it: a paste would wait for itself to provide the content.
        let isSame = host.clipboardPlace.map { request.headers[SinkSession.placeHeader] == $0 } ?? false
        let token = request.headers[SinkSession.filesHeader].flatMap { FileToken($0) }
        let files = host.takesPartInFiles ? token : nil
        if isSame, files == nil { return respond(.forbidden, to: request) }
        let transports = request.headers["Transport"].flatMap(TransportHeader.list) ?? []
        let wanted = ConnectionChannel.transferHeader
        guard
            transports.contains(where: {
                $0.transport.uppercased() == wanted.transport && $0.interleaved == wanted.interleaved
            })
        else { return respond(.unsupportedTransport, to: request) }
        var headers: RTSPHeaders = ["Transport": wanted.value, "Session": sessionHeader]
        if files != nil { headers.append(SinkSession.filesHeader, SinkSession.filesAnswer) }
        respond(.ok, to: request, headers)
        guard !hasTransfer else { return }
        viewer.hasTransfer = true
        demand(.transfer(.opened(sharesClipboard: !isSame, files: files)))
        tellTransferRoom()
    }

    package func send(transfer message: [UInt8], now: Instant) {
        guard state.isWatching, hasTransfer else { return }
        demand(.send(ConnectionChannel.transfer.frame(message)))
    }

    func tellTransferRoom() { if let transferRoom { demand(.transfer(.room(transferRoom))) } }

    package var transferRoom: Int? { hasTransfer ? max(0, ConnectionChannel.transferWindow - unsentBytes) : nil }
}
