internal import DequeModule
package import HelioCore
package import HelioTransferWire

/// One end of a clipboard's exchange over the transfer channel: what is copied here is offered there, and what is pasted
/// is fetched.
///
/// Nothing crosses that nobody pastes. The newest offer counts, and what came from the other end is not offered back.
/// Content goes in small pieces, no faster than the channel takes them and the receiver gives credit; each transfer has
/// a limit, and a time in which it has to make progress. All that waits has a bound.
///
/// Inputs and outputs are those of `ClipboardAccess` and of the channel:
/// ```
///   ClipboardAccess                       ClipboardExchange                       channel
///     events ->          .clipboard                <- .received, .room
///             <- orders          .clipboard                .send ->
/// ```
package struct ClipboardExchange: Engine, ~Copyable {
    package enum Input: Sendable {
        /// What this end gives and takes from now on.
        case terms(ClipboardTerms)
        /// What this machine's clipboard tells.
        case clipboard(ClipboardEvent)
        /// A message of the other end, as it came.
        case received([UInt8])
        /// The channel takes so many bytes now, messages' headers included. Replaces what was said before; each `send`
        /// uses up its bytes by itself.
        case room(Int)
        /// This end is about to leave: the other end may fetch what it has of this one's on its clipboard.
        case leaving
    }

    package enum Output: Sendable {
        /// A message for the other end.
        case send([UInt8])
        /// What this machine's clipboard is to do.
        case clipboard(ClipboardOrder)
    }

    package internal(set) var statistics = ClipboardStatistics()

    let settings: ClipboardSettings
    private var terms: ClipboardTerms
    private var peerTerms: ClipboardTerms?
    private var areTermsDue = true
    /// True once the channel is gone: nothing is sent any more.
    private var isClosed = false
    /// The newest instant that is known: `poll` has none of its own.
    var now: Instant
    /// The bytes that the channel takes.
    private var room = 0
    var outputs = Deque<Output>()
    /// Refusals and cancellations that wait for the channel.
    private var answers = Deque<TransferMessage>()

    // What goes from here.
    /// What was copied here; `nil`: nothing, or what the other end offers lies on the clipboard.
    var local: (serial: ClipboardSerial, entries: [ClipboardEntry])?
    /// The number of the offer on the wire.
    var offerSerial: UInt32 = 0
    var isOfferDue = false
    private var nextOffer: Instant
    var outgoing: [OutgoingTransfer] = []
    private var nextRead: UInt64 = 1
    var echoes = EchoWatch()

    // What comes here.
    var peerOffer: ClipboardOffer?
    /// True where the other end's offer lies on this machine's clipboard.
    var isShown = false
    var isShowDue = false
    private var nextShow: Instant
    var incoming: [IncomingTransfer] = []
    var nextTransfer: UInt32 = 1
    /// The formats that are still to be fetched, as the other end is about to leave; `nil`: it is not.
    var keeping: [ClipboardFormat]?
    /// What was fetched then.
    package internal(set) var kept: [ClipboardFormat: [UInt8]] = [:]

    // What is handed over at the end.
    /// True where the other end is told that this one is about to leave, and has not answered yet.
    package private(set) var isHandingOver = false
    private var isLeavingDue = false

    package init(terms: ClipboardTerms, settings: ClipboardSettings = ClipboardSettings(), now: Instant) {
        self.terms = terms
        self.settings = settings
        self.now = now
        nextOffer = now
        nextShow = now
    }

    /// True where what is copied here goes to the other end.
    package var gives: Bool { terms.maySend && peerTerms?.mayReceive == true }
    /// True where what is copied at the other end comes here.
    package var takes: Bool { terms.mayReceive && peerTerms?.maySend == true }
    /// The most bytes of one content.
    package var limit: Int { Int(min(terms.mostBytes, peerTerms?.mostBytes ?? 0)) }
    /// The bytes of content that are held.
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
        // Nothing is to be had of it, and nobody pastes.
        case .clipboard(.lost): changed(ClipboardSerial(.max), [])
        case .received(let bytes): received(bytes)
        case .room(let bytes): room = min(max(0, bytes), settings.window)
        case .leaving:
            // Nothing of this end's is at the other one's.
            guard gives, let local, !local.entries.isEmpty else { break }
            isHandingOver = true
            isLeavingDue = true
        }
        showIfDue()
    }

    /// Ends it, as the channel is gone: what is under way fails, and what the other end offered is taken back.
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

    /// Gives out what is for this machine ahead of what is for the other end; that as far as the channel takes it.
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

    /// When a transfer has taken too long.
    func overdue(_ begun: Instant, _ lastProgress: Instant) -> Instant {
        min(begun + settings.longest, lastProgress + settings.patience)
    }

    mutating func takeReadID() -> ClipboardReadID {
        defer { nextRead += 1 }
        return ClipboardReadID(nextRead)
    }

    /// Keeps a refusal or cancellation until the channel takes it.
    mutating func answer(_ message: TransferMessage) {
        guard answers.count < settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(message)
    }

    // MARK: Terms

    /// Makes a change of the terms of either end.
    private mutating func change(_ change: (inout Self) -> Void) {
        let (gave, took, former) = (gives, takes, limit)
        change(&self)
        if gives {
            // What is too large to be offered may have changed, too.
            if let local, !local.entries.isEmpty, !gave || former != limit { isOfferDue = true }
        } else if gave {
            isOfferDue = false
            for transfer in outgoing where !transfer.isCancelled { end(transfer.id, .notAllowed, .revoked) }
        }
        if took, !takes {
            for transfer in incoming { fail(transfer.id, .notAllowed, .revoked) }
            peerOffer = nil
            isShowDue = false
            takeBack()
        }
    }

    // MARK: The clipboard's offers

    /// Puts the newest offer of the other end on the clipboard, or takes it off, but not too often.
    private mutating func showIfDue() {
        guard isShowDue, now >= nextShow else { return }
        isShowDue = false
        nextShow = now + settings.offerInterval
        guard let peerOffer, !peerOffer.entries.isEmpty else { return takeBack() }
        // What was copied here before is gone by that.
        local = nil
        isOfferDue = false
        echoes.suspect = nil
        isShown = true
        outputs.append(.clipboard(.offer(peerOffer.entries)))
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
        case .leaving: keepOffer()
        case .kept: isHandingOver = false
        }
    }

    /// The next message that the channel takes, the short ones first.
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
