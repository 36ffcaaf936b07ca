import HelioCore
import HelioRTSP
import HelioTransfer

// The clipboard between this machine and the host, by the transfer channel inside the connection.

extension SinkSession {
    /// How far the transfer channel has come.
    enum TransferChannel: Equatable {
        case closed
        /// The host was asked, by the request of this number.
        case asked(UInt32)
        /// The connection has not taken so many bytes yet.
        case open(unsent: Int)
    }

    /// The header that names the clipboard that the viewer shares.
    static let placeHeader = "Heliograph-Clipboard"

    /// Asks the host for the channel. One that does not know it refuses, and there is no clipboard then.
    func askForTransfer() {
        guard settings.clipboard != nil else { return }
        var headers: RTSPHeaders = ["Transport": ConnectionChannel.transferHeader.value]
        if let place = settings.clipboardPlace { headers.append(Self.placeHeader, place) }
        transfer = .asked(request(.setup, path: "/transfer", headers: headers))
    }

    /// Returns whether the response is to that request.
    func answersTransfer(_ response: RTSPResponse, _ now: Instant) -> Bool {
        guard case .asked(let number) = transfer, response.headers["CSeq"] == "\(number)" else { return false }
        transfer = response.status.isSuccess ? .open(unsent: 0) : .closed
        tellTransferRoom(now)
        return true
    }

    /// Takes a message of the channel.
    func take(transfer message: [UInt8], _ now: Instant) {
        guard case .open = transfer else { return end(Self.unaskedTransfer) }
        handle(.received(message), now)
    }

    /// The connection has taken bytes of the channel.
    func wroteTransfer(_ count: Int, _ now: Instant) {
        guard case .open(let unsent) = transfer else { return }
        transfer = .open(unsent: max(0, unsent - count))
        tellTransferRoom(now)
    }

    func handle(_ input: ClipboardExchange.Input, _ now: Instant) {
        clipboard.handle(input, now: now)
        drainClipboard()
    }

    func drainClipboard() {
        while let output = clipboard.poll() {
            switch output {
            case .send(let message):
                guard case .open(let unsent) = transfer else { break }
                let frame = ConnectionChannel.transfer.frame(message)
                transfer = .open(unsent: unsent + frame.count)
                outputs.append(.transfer(frame))
            case .clipboard(let order): outputs.append(.event(.clipboard(order)))
            }
        }
    }

    /// Ends the exchange with the session: the host's offer is taken back.
    func closeClipboard() {
        transfer = .closed
        clipboard.close()
        drainClipboard()
    }

    private func tellTransferRoom(_ now: Instant) {
        if case .open(let unsent) = transfer { handle(.room(max(0, ConnectionChannel.transferWindow - unsent)), now) }
    }

    private static let unaskedTransfer = HelioError(
        .protocolViolation, "The host does not speak Heliograph's protocol: it sends transfers that nobody asked for.")
}
