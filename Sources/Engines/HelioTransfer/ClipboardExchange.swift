internal import DequeModule
package import HelioCore
package import HelioTransferWire

/// An end of the clipboard exchange over the transfer channel: a copy at one end is offered to the peer, which fetches
/// the content when it is pasted.
///
/// The exchange transfers only pasted content; a host also fetches small texts as soon as they are offered
/// (`ClipboardSettings.fetchedAhead`). Only the newest offer is valid, and content from the peer is not offered back to
/// the peer. Content is sent in small messages, no faster than the channel accepts them and the receiver grants credit.
/// Each transfer has a size limit, and times out without progress. All queues are bounded.
///
/// The inputs and outputs connect `ClipboardAccess` and the channel:
/// ```
///   ClipboardAccess                       ClipboardExchange                       channel
///     events ->          .clipboard                <- .received, .room
///             <- orders          .clipboard                .send ->
/// ```
package struct ClipboardExchange: Engine, ~Copyable {
    package enum Input: Sendable {
        /// This end's terms from now on: whether it sends and receives content, and the size limit.
        case terms(ClipboardTerms)
        /// An event of this machine's clipboard.
        case clipboard(ClipboardEvent)
        /// An unparsed message from the peer.
        case received([UInt8])
        /// The number of bytes that the channel accepts now, including message headers. Replaces the previous number,
        /// from which each `send` subtracts its bytes.
        case room(Int)
        /// This end is about to leave, so the peer may fetch the content of this end's offer now.
        case leaving
    }

    package enum Output: Sendable {
        /// A message to send to the peer.
        case send([UInt8])
        /// A command to this machine's clipboard.
        case clipboard(ClipboardOrder)
    }

    package internal(set) var statistics = ClipboardStatistics()

    let settings: ClipboardSettings
    private var terms: ClipboardTerms
    private var peerTerms: ClipboardTerms?
    private var areTermsDue = true
    /// True once the channel is closed; nothing more is sent.
    private var isClosed = false
    /// The latest instant passed in; `poll` uses it, as it has no such parameter.
    var now: Instant
    /// The number of bytes that the channel accepts now.
    private var room = 0
    var outputs = Deque<Output>()
    /// Refusals, cancellations and the message `kept`, queued for the channel.
    private var answers = Deque<TransferMessage>()

    // The state for sending.
    /// The last copy made on this machine; `nil` if there is none, or if the peer's offer has replaced it.
    var local: (serial: ClipboardSerial, entries: [ClipboardEntry])?
    /// The serial number of this end's newest offer.
    var offerSerial: UInt32 = 0
    var isOfferDue = false
    private var nextOffer: Instant
    var outgoing: [OutgoingTransfer] = []
    private var nextRead: UInt64 = 1
    var echoes = EchoWatch()

    // The state for receiving.
    var peerOffer: ClipboardOffer?
    /// True if the peer's offer is on this machine's clipboard.
    var isShown = false
    var isShowDue = false
    var nextShow: Instant
    var incoming: [IncomingTransfer] = []
    var nextTransfer: UInt32 = 1
    /// The formats of the peer's offer that are still to be fetched without a paste.
    var keeping: [ClipboardFormat] = []
    /// True once the peer has announced that it is about to leave.
    var isPeerLeaving = false
    /// The content of the peer's offer that remains available once the peer has left: content fetched without a paste,
    /// and small texts that were pasted.
    package internal(set) var kept: [ClipboardFormat: [UInt8]] = [:]

    // Handover of content before this end leaves.
    /// True after `Input.leaving` until the peer has confirmed that it has the content.
    package private(set) var isHandingOver = false
    private var isLeavingDue = false

    package init(terms: ClipboardTerms, settings: ClipboardSettings = ClipboardSettings(), now: Instant) {
        self.terms = terms
        self.settings = settings
        self.now = now
        nextOffer = now
        nextShow = now
    }

    /// True if copies made on this machine may be sent to the peer.
    package var gives: Bool { terms.maySend && peerTerms?.mayReceive == true }
    /// True if copies made at the peer may be received.
    package var takes: Bool { terms.mayReceive && peerTerms?.maySend == true }
    /// The maximum size of one content in bytes, by the terms of both ends.
    package var limit: Int { Int(min(terms.mostBytes, peerTerms?.mostBytes ?? 0)) }
    /// The bytes of content held in memory.
    package var bufferedBytes: Int {
        outgoing.reduce(0) { $0 + $1.bufferedBytes } + incoming.reduce(0) { $0 + $1.content.count } + keptBytes
    }

    package mutating func handle(_ input: consuming Input, now: Instant) {
        self.now = now
        switch input {
        case .terms(let terms):
            guard terms != self.terms else { break }
            areTermsDue = true
            change { $0.terms = terms }
        case .clipboard(.changed(let serial, let entries)): changed(serial, entries)
        case .clipboard(.wanted(let paste, let format)): wanted(paste, format)
        case .clipboard(.unwanted(let paste)): unwanted(paste)
        case .clipboard(.content(let read, let content)): took(read, content)
        // Treat a lost clipboard as an empty one, as nothing can be pasted from it.
        case .clipboard(.lost): changed(ClipboardSerial(.max), [])
        case .received(let bytes): received(bytes)
        case .room(let bytes): room = min(max(0, bytes), settings.window)
        case .leaving:
            // Content can be handed over only if this end has an offer.
            guard gives, let local, !local.entries.isEmpty else { break }
            isHandingOver = true
            isLeavingDue = true
        }
        showIfDue()
    }

    /// Ends the exchange, as the channel is closed: transfers under way fail, and the peer's offer is withdrawn from
    /// the clipboard.
    package mutating func close() {
        isClosed = true
        isHandingOver = false
        handle(.terms(.nothing), now: now)
    }

    package mutating func tick(now: Instant) {
        self.now = now
        endOverdueOutgoing()
        endOverdueIncoming()
        if let suspect = echoes.suspect, suspect.since + settings.patience <= now { clear(suspect, nil) }
        showIfDue()
    }

    /// Returns outputs for this machine first, then messages for the peer as far as the channel accepts them.
    package mutating func poll() -> Output? {
        if let output = outputs.popFirst() { return output }
        guard let message = nextMessage() else { return nil }
        room -= message.size
        return .send(message.serialised())
    }

    package var deadline: Deadline? {
        var next: Deadline?
        func add(_ at: Instant, _ why: StaticString) { next = .earliest(next, Deadline(at: at, why: why)) }
        for transfer in outgoing { add(overdue(transfer.begun, transfer.lastProgress), "outgoing transfer") }
        for transfer in incoming { add(overdue(transfer.begun, transfer.lastProgress), "incoming transfer") }
        if let suspect = echoes.suspect { add(suspect.since + settings.patience, "suspected echo") }
        if isShowDue { add(nextShow, "offer to show") }
        if isOfferDue, nextOffer > now { add(nextOffer, "offer to send") }
        return next
    }

    /// The time at which a transfer times out.
    func overdue(_ begun: Instant, _ lastProgress: Instant) -> Instant {
        min(begun + settings.longest, lastProgress + settings.patience)
    }

    mutating func takeReadID() -> ClipboardReadID {
        defer { nextRead += 1 }
        return ClipboardReadID(nextRead)
    }

    /// Queues a refusal, a cancellation or the message `kept` for the channel.
    mutating func answer(_ message: TransferMessage) {
        guard answers.count < settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(message)
    }

    // MARK: Terms

    /// Changes this end's or the peer's terms, and applies the consequences.
    private mutating func change(_ change: (inout Self) -> Void) {
        let (gave, took, former) = (gives, takes, limit)
        change(&self)
        if gives {
            // A new limit changes which formats are too large to be offered.
            if let local, !local.entries.isEmpty, !gave || former != limit { isOfferDue = true }
        } else if gave {
            isOfferDue = false
            for transfer in outgoing where !transfer.isCancelled { end(transfer.id, .notAllowed, .revoked) }
        }
        if took, !takes {
            stopKeeping()
            for transfer in incoming { fail(transfer.id, .notAllowed, .revoked) }
            peerOffer = nil
            isShowDue = false
            takeBack()
        }
    }

    // MARK: The clipboard's offers

    /// Puts the peer's newest offer on the clipboard at most once per `offerInterval`. An empty offer withdraws the
    /// peer's former offer.
    mutating func showIfDue() {
        guard isShowDue, now >= nextShow else { return }
        isShowDue = false
        nextShow = now + settings.offerInterval
        guard let peerOffer, !peerOffer.entries.isEmpty else {
            takeBack()
            return keepOffer()
        }
        // The offer replaces the last copy made on this machine.
        local = nil
        isOfferDue = false
        echoes.suspect = nil
        isShown = true
        outputs.append(.clipboard(.offer(peerOffer.entries)))
        keepOffer()
    }

    private mutating func takeBack() {
        guard isShown else { return }
        isShown = false
        outputs.append(.clipboard(.withdraw))
    }

    // MARK: Messages

    private mutating func received(_ bytes: [UInt8]) {
        guard let message = try? TransferMessage(parsing: bytes.span.bytes) else {
            return statistics.drops.count(.malformed)
        }
        switch message {
        case .terms(let terms): change { $0.peerTerms = terms }
        case .offer(let offer): took(offer)
        case .request(let id, let serial, let format): requested(id, serial: serial, format)
        case .data(let id, let isLast, let bytes): took(id, isLast: isLast, bytes)
        case .credit(let id, let total): credited(id, Int(total))
        case .refuse(let id, let reason): refused(id, reason)
        case .cancel(let id): cancelled(id)
        case .leaving: peerLeaves()
        case .kept: isHandingOver = false
        }
    }

    /// The next message that the channel accepts; short message types take precedence over content.
    private mutating func nextMessage() -> TransferMessage? {
        if isClosed { return nil }
        if areTermsDue {
            let message = TransferMessage.terms(terms)
            guard message.size <= room else { return nil }
            areTermsDue = false
            return message
        }
        if let message = answers.first {
            guard message.size <= room else { return nil }
            return answers.removeFirst()
        }
        if isOfferDue, now >= nextOffer {
            let message = TransferMessage.offer(makeOffer())
            guard message.size <= room else { return nil }
            isOfferDue = false
            nextOffer = now + settings.offerInterval
            statistics.offersSent += 1
            return message
        }
        if isLeavingDue {
            guard TransferMessage.leaving.size <= room else { return nil }
            isLeavingDue = false
            return .leaving
        }
        for index in incoming.indices {
            if !incoming[index].isRequested {
                let transfer = incoming[index]
                let message = TransferMessage.request(transfer.id, serial: transfer.serial, transfer.format)
                guard message.size <= room else { return nil }
                incoming[index].isRequested = true
                return message
            }
            if incoming[index].isCreditDue {
                let message = TransferMessage.credit(
                    incoming[index].id, total: UInt32(clamping: incoming[index].credit))
                guard message.size <= room else { return nil }
                incoming[index].isCreditDue = false
                return message
            }
        }
        return nextPiece(room: room)
    }
}
