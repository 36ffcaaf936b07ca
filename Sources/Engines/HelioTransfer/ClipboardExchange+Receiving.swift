import HelioCore
import HelioTransferWire

// Receiving: the other end's offers, and the content fetched from it.

extension ClipboardExchange {
    mutating func took(_ offer: ClipboardOffer) {
        guard takes else { return statistics.drops.count(.offerNotAllowed) }
        statistics.offersReceived += 1
        if isShowDue { statistics.drops.count(.offerReplaced) }
        var offer = offer
        let count = offer.entries.count
        offer.entries.removeAll { $0.size ?? 0 > limit }
        statistics.drops.count(.formatTooLarge, count - offer.entries.count)
        peerOffer = offer
        isShowDue = true
        echoes.reset()
    }

    mutating func wanted(_ paste: PasteID, _ format: ClipboardFormat) {
        guard takes else { return refuse(paste, .notAllowed) }
        guard let peerOffer, peerOffer.entries.contains(where: { $0.format == format }) else {
            return refuse(paste, .gone)
        }
        guard incoming.count < settings.transfers, !incoming.contains(where: { $0.paste == paste }) else {
            return refuse(paste, .busy)
        }
        begin(format, of: peerOffer, for: paste)
    }

    private mutating func refuse(_ paste: PasteID, _ failure: ClipboardFailure) {
        statistics.drops.count(.pasteRefused)
        outputs.append(.clipboard(.provide(paste, .failure(failure))))
    }

    mutating func unwanted(_ paste: PasteID) {
        guard let index = incoming.firstIndex(where: { $0.paste == paste }) else { return }
        statistics.drops.count(.cancelled)
        let transfer = incoming.remove(at: index)
        if transfer.isRequested { answer(.cancel(transfer.id)) }
    }

    mutating func took(_ id: TransferID, isLast: Bool, _ bytes: [UInt8]) {
        guard let index = place(of: id) else { return }
        statistics.bytesReceived += bytes.count
        let count = incoming[index].content.count + bytes.count
        guard count <= incoming[index].credit else { return fail(id, .failed, .overCredit) }
        guard count + (incoming[index].paste == nil ? keptBytes : 0) <= limit else {
            return fail(id, .tooLarge, .tooLarge)
        }
        guard incoming.reduce(bytes.count, { $0 + $1.content.count }) <= settings.bufferedBytes else {
            return fail(id, .busy, .noRoom)
        }
        incoming[index].content += bytes
        incoming[index].lastProgress = now
        guard isLast else { return incoming[index].giveCredit(window: settings.window, limit: limit) }
        let transfer = incoming.remove(at: index)
        guard let content = ClipboardContent.accepted(transfer.content, transfer.format) else {
            statistics.drops.count(.invalid)
            return deliver(.failure(.invalid), of: transfer)
        }
        statistics.transfersReceived += 1
        if transfer.serial == peerOffer?.serial { echoes.remember(content, transfer.format) }
        deliver(.success(content), of: transfer)
    }

    mutating func refused(_ id: TransferID, _ reason: TransferRefusal) {
        guard let index = place(of: id) else { return }
        statistics.drops.count(.refused)
        let transfer = incoming.remove(at: index)
        deliver(.failure(ClipboardFailure(reason)), of: transfer)
    }

    /// The index of the requested transfer that a message of the other end is about; `nil`, with a counted drop, for
    /// none.
    private mutating func place(of id: TransferID) -> Int? {
        if let index = incoming.firstIndex(where: { $0.id == id && $0.isRequested }) { return index }
        // Numbers go up, so that a lower one belonged to an earlier transfer.
        let age = nextTransfer &- id.rawValue
        let wasGiven = age > 0 && age < 1 << 31 && !incoming.contains { $0.id == id }
        statistics.drops.count(wasGiven ? .lateData : .unknownTransfer)
        return nil
    }

    /// Ends a transfer with a failure, and notifies the other end and this machine.
    mutating func fail(_ id: TransferID, _ failure: ClipboardFailure, _ drop: ClipboardDrop) {
        guard let index = incoming.firstIndex(where: { $0.id == id }) else { return }
        let transfer = incoming.remove(at: index)
        statistics.drops.count(drop)
        if transfer.isRequested { answer(.cancel(id)) }
        deliver(.failure(failure), of: transfer)
    }

    /// Delivers a transfer's content to the paste that waits for it, or keeps it if the other end is about to leave.
    private mutating func deliver(_ content: Result<[UInt8], ClipboardFailure>, of transfer: IncomingTransfer) {
        if let paste = transfer.paste { return outputs.append(.clipboard(.provide(paste, content))) }
        if case .success(let bytes) = content { kept[transfer.format] = bytes }
        keepNext()
    }

    // MARK: Handover

    /// Fetches all formats of the other end's offer that is on this machine's clipboard, as that end is about to leave.
    mutating func keepOffer() {
        // This happens once: a second call would fetch all of it again.
        guard keeping == nil else { return }
        keeping = isShown && takes ? peerOffer?.entries.map(\.format) ?? [] : []
        keepNext()
    }

    /// Fetches the next format: one at a time, and all together no more than the limit of one content. Sends `kept`
    /// when none is left.
    private mutating func keepNext() {
        guard keeping != nil else { return }
        while let format = keeping?.first {
            keeping?.removeFirst()
            let size = peerOffer?.entries.first { $0.format == format }?.size ?? 0
            guard let peerOffer, takes, keptBytes + size <= limit else {
                statistics.drops.count(.formatTooLarge)
                continue
            }
            begin(format, of: peerOffer, for: nil)
            return
        }
        answer(.kept)
    }

    var keptBytes: Int { kept.values.reduce(0) { $0 + $1.count } }

    private mutating func begin(_ format: ClipboardFormat, of offer: ClipboardOffer, for paste: PasteID?) {
        let id = TransferID(nextTransfer)
        nextTransfer &+= 1
        var transfer = IncomingTransfer(id, paste, serial: offer.serial, format: format, now: now)
        transfer.giveCredit(window: settings.window, limit: limit)
        incoming.append(transfer)
    }

    mutating func endOverdueIncoming() {
        for transfer in incoming where overdue(transfer.begun, transfer.lastProgress) <= now {
            fail(transfer.id, .timedOut, .timedOut)
        }
    }
}

extension ClipboardFailure {
    fileprivate init(_ reason: TransferRefusal) {
        switch reason {
        case .gone: self = .gone
        case .tooLarge: self = .tooLarge
        case .notAllowed: self = .notAllowed
        case .busy: self = .busy
        case .failed: self = .failed
        }
    }
}
