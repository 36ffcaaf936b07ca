import HelioCore
import HelioRTSP
import HelioTransfer
import HelioTransferWire

// Clipboard and file transfer with the host, by the transfer channel inside the connection.

extension SinkSession {
    /// The state of the transfer channel.
    enum TransferChannel: Equatable {
        case closed
        /// The host was asked by the request with this number.
        case asked(UInt32)
        /// The channel is open; the kernel has not accepted `unsent` of its bytes yet.
        case open(unsent: Int)
    }

    /// The header that names the clipboard that the viewer shares.
    static let placeHeader = "Heliograph-Clipboard"
    /// The header that carries the viewer's identity for file transfer, and its value in the response of a host that
    /// supports file transfer.
    static let filesHeader = "Heliograph-Files"
    static let filesAnswer = "yes"

    /// Requests the transfer channel. A host without transfer channels refuses; then neither clipboard nor files are
    /// shared.
    func askForTransfer() {
        guard settings.clipboard != nil || settings.files != nil else { return }
        var headers: RTSPHeaders = ["Transport": ConnectionChannel.transferHeader.value]
        if let place = settings.clipboardPlace { headers.append(Self.placeHeader, place) }
        if let files = settings.files { headers.append(Self.filesHeader, files.text) }
        transfer = .asked(request(.setup, path: "/transfer", headers: headers))
    }

    /// Returns whether the response answers the request for the transfer channel.
    func answersTransfer(_ response: RTSPResponse, _ now: Instant) -> Bool {
        guard case .asked(let number) = transfer, response.headers["CSeq"] == "\(number)" else { return false }
        transfer = response.status.isSuccess ? .open(unsent: 0) : .closed
        if transfer != .closed, settings.files != nil, response.headers[Self.filesHeader] == Self.filesAnswer {
            allowance = FileAllowance(now: now)
            outputs.append(.event(.files(.opened)))
        }
        tellTransferRoom(now)
        return true
    }

    /// Handles a message of the transfer channel: it belongs to file transfer, or else to the clipboard. Ends the
    /// session if the channel is not open.
    func take(transfer message: [UInt8], _ now: Instant) {
        guard case .open = transfer else { return end(Self.unaskedTransfer) }
        guard FileMessage.isAboutFiles(message) else { return handle(.received(message), now) }
        if allowance != nil { outputs.append(.event(.files(.received(message)))) }
    }

    /// Notes that the kernel has accepted this many bytes of the transfer channel.
    func wroteTransfer(_ count: Int, _ now: Instant) {
        guard case .open(let unsent) = transfer else { return }
        transfer = .open(unsent: max(0, unsent - count))
        tellTransferRoom(now)
    }

    func handle(_ input: ClipboardExchange.Input, _ now: Instant) {
        let wasHandingOver = clipboard.isHandingOver
        clipboard.handle(input, now: now)
        drainClipboard()
        if wasHandingOver, !clipboard.isHandingOver { outputs.append(.event(.handedOver)) }
    }

    func drainClipboard() {
        while let output = clipboard.poll() {
            switch output {
            case .send(let message): send(transfer: message)
            case .clipboard(let order): outputs.append(.event(.clipboard(order)))
            }
        }
    }

    /// Sends file-transfer messages; their bytes must have been granted before.
    func send(files messages: [[UInt8]], _ now: Instant) {
        guard allowance != nil else { return }
        for message in messages {
            allowance?.use(message.count)
            send(transfer: message)
        }
        tellTransferRoom(now)
    }

    private func send(transfer message: [UInt8]) {
        guard case .open(let unsent) = transfer else { return }
        let frame = ConnectionChannel.transfer.frame(message)
        transfer = .open(unsent: unsent + frame.count)
        outputs.append(.transfer(frame))
    }

    /// Closes the channel as the session ends: the host's clipboard offer is withdrawn.
    func closeTransfer() {
        transfer = .closed
        if allowance != nil { outputs.append(.event(.files(.closed))) }
        allowance = nil
        clipboard.close()
        drainClipboard()
    }

    /// Grants bytes to file transfers that had to wait.
    func tickTransfer(_ now: Instant) {
        if let due = allowance?.deadline, due.at <= now { tellTransferRoom(now) }
    }

    private func tellTransferRoom(_ now: Instant) {
        guard case .open(let unsent) = transfer else { return }
        handle(.room(max(0, ConnectionChannel.transferWindow - unsent)), now)
        // The rest of the room is granted to files.
        guard case .open(let unsent) = transfer else { return }
        let room = ConnectionChannel.transferWindow - unsent
        if let granted = allowance?.grant(room: room, roundTrip: roundTrip, now: now) {
            outputs.append(.event(.files(.granted(granted))))
        }
    }

    private static let unaskedTransfer = HelioError(
        .protocolViolation, "The host does not speak Heliograph's protocol: it sends transfers that nobody asked for.")
}
