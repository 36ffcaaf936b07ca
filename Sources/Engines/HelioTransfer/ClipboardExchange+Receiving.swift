import HelioCore
import HelioTransferWire

// Receiving: the peer's offers, and the content fetched from the peer.

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
        // The content is already being fetched. Raise the limit, as a paste may be larger than content fetched ahead.
        if let index = incoming.firstIndex(where: { $0.isKept && $0.paste == nil && $0.format == format }) {
            incoming[index].paste = paste
            return incoming[index].giveCredit(window: settings.window, limit: limit)
        }
        begin(format, of: peerOffer, for: paste)
    }

    /// Answers a paste with content of the peer's newest offer, and remembers the content to detect echoes.
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
            // The peer may have refused the content because the request was not for a paste. Repeat the request for the
            // paste.
            begin(transfer.format, of: peerOffer, for: paste)
            return keepNext()
        }
        deliver(.failure(ClipboardFailure(reason)), of: transfer)
    }

    /// The index of the requested transfer with this ID, as named in a message of the peer. If there is none, counts a
    /// drop and returns `nil`.
    private mutating func place(of id: TransferID) -> Int? {
        if let index = incoming.firstIndex(where: { $0.id == id && $0.isRequested }) { return index }
        // IDs count up, so a lower ID belonged to an earlier transfer.
        let age = nextTransfer &- id.rawValue
        let wasGiven = age > 0 && age < 1 << 31 && !incoming.contains { $0.id == id }
        statistics.drops.count(wasGiven ? .lateData : .unknownTransfer)
        return nil
    }

    /// Ends a transfer with a failure: cancels it at the peer, and fails the paste.
    mutating func fail(_ id: TransferID, _ failure: ClipboardFailure, _ drop: ClipboardDrop) {
        guard let index = incoming.firstIndex(where: { $0.id == id }) else { return }
        let transfer = incoming.remove(at: index)
        statistics.drops.count(drop)
        if transfer.isRequested { answer(.cancel(id)) }
        deliver(.failure(failure), of: transfer)
    }

    /// Delivers a transfer's content to the paste that waits for it, and stores the content if it has to outlast the
    /// peer.
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

    /// Fetches all formats of the peer's offer, as the peer is about to leave. If the offer has not been put on the
    /// clipboard yet because of `offerInterval`, puts it there at once.
    mutating func peerLeaves() {
        // Ignore a second call, which would fetch all of the offer again.
        guard !isPeerLeaving else { return }
        isPeerLeaving = true
        guard isShowDue else { return keepOffer() }
        nextShow = now
        showIfDue()
    }

    /// Returns true if a format is fetched without a paste: text and HTML if `fetchedAhead` is set, and all formats
    /// from a peer that is about to leave.
    private func keeps(_ format: ClipboardFormat) -> Bool {
        isPeerLeaving || settings.fetchedAhead > 0 && format != .png
    }

    /// The maximum size of the content stored in `kept`, in bytes, of all formats together.
    private var mostKept: Int { isPeerLeaving ? limit : min(limit, settings.fetchedAhead) }

    var keptBytes: Int { kept.values.reduce(0) { $0 + $1.count } }

    /// The maximum size of a transfer's content in bytes.
    private func bound(of transfer: IncomingTransfer) -> Int {
        transfer.paste == nil ? max(0, mostKept - keptBytes) : limit
    }

    /// Begins to fetch the formats of the peer's offer that are to outlast the peer, if the offer is on this machine's
    /// clipboard.
    mutating func keepOffer() {
        keeping = []
        for entry in isShown && takes ? peerOffer?.entries ?? [] : []
        where keeps(entry.format) && kept[entry.format] == nil {
            if !incoming.contains(where: { $0.isKept && $0.format == entry.format }) { keeping.append(entry.format) }
        }
        if !incoming.contains(where: { $0.isKept }) { keepNext() }
    }

    /// Begins to fetch the next format in `keeping`, one at a time, and at most `mostKept` bytes in total. If no format
    /// is left, sends the message `kept` to a peer that is about to leave.
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

    /// Discards the content in `kept`, and cancels the transfers that no paste is waiting for, as the peer's offer was
    /// replaced or withdrawn.
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

    /// Begins a transfer for a paste, or with `nil` to store its content for later.
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
