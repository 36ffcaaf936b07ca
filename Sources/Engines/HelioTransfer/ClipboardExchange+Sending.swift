import HelioCore
import HelioTransferWire

// Sending: this machine's offers, and the content that the peer requests.

extension ClipboardExchange {
    /// The minimum size of a data message's content in bytes, unless less content or credit is left. It prevents a
    /// nearly full channel from carrying a header for every few bytes.
    private static var leastPiece: Int { 1024 }

    mutating func changed(_ serial: ClipboardSerial, _ entries: [ClipboardEntry]) {
        // The peer's offer is no longer on the clipboard. An offer of the peer that is still waiting is older than this
        // copy.
        isShown = false
        stopKeeping()
        if isPeerLeaving { answer(.kept) }
        if isShowDue {
            isShowDue = false
            statistics.drops.count(.offerReplaced)
        }
        if echoes.suspect != nil { statistics.drops.count(.offerReplaced) }
        echoes.suspect = nil
        guard let format = echoes.suspiciousFormat(entries), gives else {
            // This copy is not an echo, and a later copy of the pasted content is not an echo either, so forget the
            // pasted content. An empty clipboard is not a copy: clipboard managers clear the clipboard before they put
            // their content on it again.
            if !entries.isEmpty { echoes.reset() }
            return offer(serial, entries)
        }
        // Offer nothing until the content of the suspected echo is read.
        local = nil
        isOfferDue = false
        let read = takeReadID()
        echoes.suspect = .init(read: read, format: format, serial: serial, entries: entries, since: now)
        outputs.append(.clipboard(.read(format, of: serial, limit: limit, as: read)))
    }

    /// Resolves a suspected echo: offers the copy unless its content is an echo.
    ///
    /// - Parameter content: the copy's content; `nil` if it can't be read, which counts as no echo.
    mutating func clear(_ suspect: EchoWatch.Suspect, _ content: [UInt8]?) {
        echoes.suspect = nil
        if echoes.isEcho(content, suspect.format) { return statistics.drops.count(.echo) }
        offer(suspect.serial, suspect.entries)
    }

    private mutating func offer(_ serial: ClipboardSerial, _ entries: [ClipboardEntry]) {
        let wasEmpty = local?.entries.isEmpty ?? true
        if isOfferDue { statistics.drops.count(.offerReplaced) }
        // The new serial number makes requests for the former offer fail.
        offerSerial &+= 1
        local = (serial, entries)
        isOfferDue = gives && !(wasEmpty && entries.isEmpty)
    }

    /// Makes the offer to send, without formats whose stated size exceeds the limit.
    mutating func makeOffer() -> ClipboardOffer {
        let entries = local?.entries ?? []
        let fitting = entries.filter { $0.size ?? 0 <= limit }
        statistics.drops.count(.formatTooLarge, entries.count - fitting.count)
        return ClipboardOffer(serial: offerSerial, entries: fitting)
    }

    mutating func requested(_ id: TransferID, serial: UInt32, _ format: ClipboardFormat) {
        guard !outgoing.contains(where: { $0.id == id && !$0.isCancelled }) else {
            return statistics.drops.count(.requestTwice)
        }
        guard gives else { return refuse(id, .notAllowed, .requestNotAllowed) }
        guard let local, serial == offerSerial, local.entries.contains(where: { $0.format == format }) else {
            return refuse(id, .gone, .requestGone)
        }
        guard outgoing.count < settings.transfers else { return refuse(id, .busy, .requestBusy) }
        let read = takeReadID()
        outgoing.append(OutgoingTransfer(id, read: read, format: format, now: now))
        outputs.append(.clipboard(.read(format, of: local.serial, limit: limit, as: read)))
    }

    private mutating func refuse(_ id: TransferID, _ reason: TransferRefusal, _ drop: ClipboardDrop) {
        statistics.drops.count(drop)
        answer(.refuse(id, reason))
    }

    /// Handles content that was read from this machine's clipboard.
    mutating func took(_ read: ClipboardReadID, _ content: Result<[UInt8], ClipboardFailure>) {
        if let suspect = echoes.suspect, suspect.read == read { return clear(suspect, try? content.get()) }
        guard let index = outgoing.firstIndex(where: { $0.read == read && $0.content == nil }) else {
            return statistics.drops.count(.unwantedContent)
        }
        let (id, format) = (outgoing[index].id, outgoing[index].format)
        if outgoing[index].isCancelled {
            outgoing.remove(at: index)
            return statistics.drops.count(.unwantedContent)
        }
        switch content {
        case .failure(let failure): end(id, TransferRefusal(failure), .unreadable)
        case .success(let bytes):
            guard bytes.count <= limit else { return end(id, .tooLarge, .tooLarge) }
            guard let ready = ClipboardContent.prepared(bytes, format) else { return end(id, .failed, .invalid) }
            // Replacing invalid UTF-8 may have made the content longer.
            guard ready.count <= limit else { return end(id, .tooLarge, .tooLarge) }
            guard outgoing.reduce(ready.count, { $0 + $1.bufferedBytes }) <= settings.bufferedBytes else {
                return end(id, .busy, .noRoom)
            }
            outgoing[index].content = ready
            outgoing[index].lastProgress = now
        }
    }

    mutating func credited(_ id: TransferID, _ total: Int) {
        guard let index = outgoing.firstIndex(where: { $0.id == id && !$0.isCancelled }) else {
            return statistics.drops.count(.lateAnswer)
        }
        guard total >= outgoing[index].credit else { return statistics.drops.count(.creditWentBack) }
        guard total > outgoing[index].credit else { return }
        outgoing[index].credit = total
        outgoing[index].lastProgress = now
    }

    mutating func cancelled(_ id: TransferID) {
        guard let index = outgoing.firstIndex(where: { $0.id == id && !$0.isCancelled }) else {
            return statistics.drops.count(.lateAnswer)
        }
        statistics.drops.count(.cancelled)
        drop(index)
    }

    /// Ends a transfer with a refusal to the peer.
    mutating func end(_ id: TransferID, _ reason: TransferRefusal, _ drop: ClipboardDrop) {
        guard let index = outgoing.firstIndex(where: { $0.id == id && !$0.isCancelled }) else { return }
        statistics.drops.count(drop)
        answer(.refuse(id, reason))
        // The clipboard may still be reading the content after a revocation; in all other cases it has answered or
        // timed out.
        if drop == .revoked { self.drop(index) } else { outgoing.remove(at: index) }
    }

    /// Removes a transfer. If the clipboard is still reading its content, the transfer is only marked as cancelled,
    /// until the clipboard answers.
    private mutating func drop(_ index: Int) {
        if outgoing[index].content == nil { outgoing[index].isCancelled = true } else { outgoing.remove(at: index) }
    }

    mutating func endOverdueOutgoing() {
        for transfer in outgoing where overdue(transfer.begun, transfer.lastProgress) <= now {
            if transfer.isCancelled {
                outgoing.removeAll { $0.read == transfer.read }
            } else {
                end(transfer.id, .failed, .timedOut)
            }
        }
    }

    /// The next data message of at most `room` bytes; `nil` if there is none. Transfers take turns (round robin).
    mutating func nextPiece(room: Int) -> TransferMessage? {
        let space = room - TransferMessage.dataHeaderSize
        for index in outgoing.indices {
            guard let size = outgoing[index].nextSize, space >= min(size, Self.leastPiece) else { continue }
            var transfer = outgoing.remove(at: index)
            let piece = min(size, space)
            let message = transfer.takePiece(piece, now: now)
            statistics.bytesSent += piece
            if transfer.isComplete { statistics.transfersSent += 1 } else { outgoing.append(transfer) }
            return message
        }
        return nil
    }
}

extension TransferRefusal {
    fileprivate init(_ failure: ClipboardFailure) {
        switch failure {
        case .gone: self = .gone
        case .tooLarge: self = .tooLarge
        case .notAllowed: self = .notAllowed
        case .busy: self = .busy
        case .failed, .timedOut, .invalid: self = .failed
        }
    }
}
