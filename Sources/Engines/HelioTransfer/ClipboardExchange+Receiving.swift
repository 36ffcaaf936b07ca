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
        stopKeeping()
        peerOffer = offer
        isShowDue = true
        echoes.reset()
    }

    mutating func wanted(_ paste: PasteID, _ format: ClipboardFormat) {
        guard takes else { return refuse(paste, .notAllowed) }
        guard let peerOffer, peerOffer.entries.contains(where: { $0.format == format }) else {
            return refuse(paste, .gone)
        }
        if let content = kept[format] { return provide(paste, .success(content), format) }
        guard incoming.count(where: { $0.paste != nil }) < settings.transfers,
            !incoming.contains(where: { $0.paste == paste })
        else { return refuse(paste, .busy) }
        // The content that is on its way already may be larger than what is kept.
        if let index = incoming.firstIndex(where: { $0.isKept && $0.paste == nil && $0.format == format }) {
            incoming[index].paste = paste
            return incoming[index].giveCredit(window: settings.window, limit: limit)
        }
        begin(format, of: peerOffer, for: paste)
    }

    /// Answers a paste with content of the other end's newest offer.
    private mutating func provide(
        _ paste: PasteID, _ content: Result<[UInt8], ClipboardFailure>, _ format: ClipboardFormat
    ) {
        if case .success(let bytes) = content { echoes.remember(bytes, format) }
        outputs.append(.clipboard(.provide(paste, content)))
    }

    private mutating func refuse(_ paste: PasteID, _ failure: ClipboardFailure) {
        statistics.drops.count(.pasteRefused)
        outputs.append(.clipboard(.provide(paste, .failure(failure))))
    }

    mutating func unwanted(_ paste: PasteID) {
        guard let index = incoming.firstIndex(where: { $0.paste == paste }) else { return }
        statistics.drops.count(.cancelled)
        if incoming[index].isKept {
            incoming[index].paste = nil
            return
        }
        let transfer = incoming.remove(at: index)
        if transfer.isRequested { answer(.cancel(transfer.id)) }
    }

    mutating func took(_ id: TransferID, isLast: Bool, _ bytes: [UInt8]) {
        guard let index = place(of: id) else { return }
        statistics.bytesReceived += bytes.count
        let count = incoming[index].content.count + bytes.count
        guard count <= incoming[index].credit else { return fail(id, .failed, .overCredit) }
        let bound = bound(of: incoming[index])
        guard count <= bound else { return fail(id, .tooLarge, bound < limit ? .notKept : .tooLarge) }
        guard incoming.reduce(bytes.count, { $0 + $1.content.count }) <= settings.bufferedBytes else {
            return fail(id, .busy, .noRoom)
        }
        incoming[index].content += bytes
        incoming[index].lastProgress = now
        guard isLast else { return incoming[index].giveCredit(window: settings.window, limit: bound) }
        let transfer = incoming.remove(at: index)
        guard let content = ClipboardContent.accepted(transfer.content, transfer.format) else {
            statistics.drops.count(.invalid)
            return deliver(.failure(.invalid), of: transfer)
        }
        statistics.transfersReceived += 1
        deliver(.success(content), of: transfer)
    }

    mutating func refused(_ id: TransferID, _ reason: TransferRefusal) {
        guard let index = place(of: id) else { return }
        statistics.drops.count(.refused)
        let transfer = incoming.remove(at: index)
        if transfer.isKept, let paste = transfer.paste, let peerOffer {
            // The other end may have refused because nobody had pasted yet.
            begin(transfer.format, of: peerOffer, for: paste)
            return keepNext()
        }
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

    /// Delivers a transfer's content to the paste that waits for it, and keeps it if it is to outlast the other end.
    private mutating func deliver(_ content: Result<[UInt8], ClipboardFailure>, of transfer: IncomingTransfer) {
        let isNewest = transfer.serial == peerOffer?.serial
        if let paste = transfer.paste {
            if isNewest {
                provide(paste, content, transfer.format)
            } else {
                outputs.append(.clipboard(.provide(paste, content)))
            }
        }
        if case .success(let bytes) = content, isNewest, isShown, keeps(transfer.format) || transfer.isKept,
            keptBytes + bytes.count <= mostKept
        {
            kept[transfer.format] = bytes
        }
        if transfer.isKept { keepNext() }
    }

    // MARK: Content that outlasts the other end

    /// Notes that the other end is about to leave: all of its offer is fetched now, even if it had to wait to be shown.
    mutating func peerLeaves() {
        // This happens once: a second call would fetch all of it again.
        guard !isPeerLeaving else { return }
        isPeerLeaving = true
        guard isShowDue else { return keepOffer() }
        nextShow = now
        showIfDue()
    }

    /// True for a format that is fetched without a paste: small texts, and anything from an end that leaves.
    private func keeps(_ format: ClipboardFormat) -> Bool {
        isPeerLeaving || settings.fetchedAhead > 0 && format != .png
    }

    /// The most bytes that are kept, of all formats together.
    private var mostKept: Int { isPeerLeaving ? limit : min(limit, settings.fetchedAhead) }

    var keptBytes: Int { kept.values.reduce(0) { $0 + $1.count } }

    /// The most bytes of a transfer.
    private func bound(of transfer: IncomingTransfer) -> Int {
        transfer.paste == nil ? max(0, mostKept - keptBytes) : limit
    }

    /// Begins to fetch those formats of the other end's offer on this machine's clipboard that are to outlast that end.
    mutating func keepOffer() {
        keeping = []
        for entry in isShown && takes ? peerOffer?.entries ?? [] : []
        where keeps(entry.format) && kept[entry.format] == nil {
            if !incoming.contains(where: { $0.isKept && $0.format == entry.format }) { keeping.append(entry.format) }
        }
        if !incoming.contains(where: { $0.isKept }) { keepNext() }
    }

    /// Fetches the next format: one at a time, and all together no more than `mostKept`. Sends `kept` to an end that
    /// leaves when none is left.
    private mutating func keepNext() {
        while !keeping.isEmpty {
            let format = keeping.removeFirst()
            let size = peerOffer?.entries.first { $0.format == format }?.size ?? 0
            guard let peerOffer, takes, keptBytes + size <= mostKept else {
                statistics.drops.count(.notKept)
                continue
            }
            begin(format, of: peerOffer, for: nil)
            return
        }
        if isPeerLeaving { answer(.kept) }
    }

    /// Forgets what was kept, and ends what is fetched without a paste: the other end's offer is replaced or gone.
    mutating func stopKeeping() {
        keeping = []
        kept = [:]
        for index in incoming.indices.reversed() where incoming[index].isKept {
            incoming[index].isKept = false
            guard incoming[index].paste == nil else { continue }
            let transfer = incoming.remove(at: index)
            statistics.drops.count(.cancelled)
            if transfer.isRequested { answer(.cancel(transfer.id)) }
        }
    }

    /// Begins a transfer for a paste, or without one to keep its content.
    private mutating func begin(_ format: ClipboardFormat, of offer: ClipboardOffer, for paste: PasteID?) {
        let id = TransferID(nextTransfer)
        nextTransfer &+= 1
        var transfer = IncomingTransfer(
            id, paste, isKept: paste == nil, serial: offer.serial, format: format, now: now)
        transfer.giveCredit(window: settings.window, limit: bound(of: transfer))
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
