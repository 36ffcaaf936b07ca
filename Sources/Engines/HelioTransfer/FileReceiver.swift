internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// The receiving side of a file exchange: one batch at a time.
struct FileReceiver {
    /// The result of an ended batch, which the sender may not know yet.
    private enum Ending {
        case done(count: UInt32, failed: Int)
        case refused(FileRefusal)
    }

    /// The maximum number of ended batches whose result is stored.
    private static let mostEnded = 8
    /// The maximum number of bytes of a partial file that are read back at once.
    static let readSize = 64 * 1024

    let settings: FileSettings
    let hash: any IncrementalHash
    var outputs = Deque<FileExchange.Output>()
    var statistics = FileStatistics()
    var permission: FilePermission
    private(set) var isConnected = false
    var batch: IncomingBatch?
    private var ended = Deque<(id: BatchID, ending: Ending)>()
    /// The `accept`, `refuse`, `want` and `verdict` messages queued for the channel.
    var answers = Deque<FileMessage>()
    /// The time from which an answer of the disk is awaited; `nil` if none is awaited.
    var diskSince: Instant?
    /// True while the disk has yet to report its free space, even if the batch that needed it has ended.
    var isMeasuring = false
    var nextJob: UInt64 = 2
    var nextQuestion: Instant
    var questionInterval: Duration

    init(_ permission: FilePermission, settings: FileSettings, hash: any IncrementalHash, now: Instant) {
        self.permission = permission
        self.settings = settings
        self.hash = hash
        nextQuestion = now
        questionInterval = settings.questionInterval
    }

    /// The bytes of received messages that have not been processed yet, or whose content is not on the disk yet.
    var bufferedBytes: Int { batch.map { Int($0.received - $0.consumed) } ?? 0 }

    // MARK: The user

    mutating func set(_ permission: FilePermission) {
        self.permission = permission
        if permission == .never { end(.notAllowed, isPeers: false, keepsPart: false) }
    }

    mutating func answer(_ id: BatchID, accepts: Bool, now: Instant) {
        guard let batch, batch.offer.batch == id, batch.phase == .asking else { return }
        guard accepts else { return end(.declined, isPeers: false, keepsPart: false) }
        questionInterval = settings.questionInterval
        nextQuestion = now
        accept(now: now)
    }

    mutating func cancel(_ id: BatchID) -> Bool {
        guard batch?.offer.batch == id else { return false }
        end(.cancelled, isPeers: false, keepsPart: false)
        return true
    }

    // MARK: The channel

    mutating func opened(now: Instant) {
        isConnected = true
        batch?.lastProgress = now
    }

    mutating func closed(now: Instant) {
        isConnected = false
        // Drop the answers; they are made again when the sender offers its batch again.
        answers = []
        batch?.interrupt(now: now)
        batch?.file?.forgetCredit()
        guard let file = batch?.file else { return }
        switch file.phase {
        case .wanting, .writing, .held:
            guard file.isResumable else { return letGo(file) }
            batch?.file?.phase = .held
        case .opening, .hashing: letGo(file)
        case .finishing: break
        case .givenUp: passFile()
        }
    }

    /// Closes the current file, as the channel was cut. Keeps the received part if the file can be resumed; otherwise
    /// deletes the part.
    private mutating func letGo(_ file: IncomingFile) {
        outputs.append(.disk(file.isResumable ? .keep(file.job) : .discard(file.job)))
        batch?.file = nil
        diskSince = nil
    }

    mutating func took(_ message: FileMessage, now: Instant) {
        if case .offer(let offer) = message { return offered(offer, now: now) }
        guard batch?.offer.batch == message.batch else { return statistics.drops.count(.late) }
        if case .withdraw(_, let reason) = message { return end(reason, isPeers: true, keepsPart: false) }
        guard batch?.isInterrupted == false else { return statistics.drops.count(.late) }
        guard batch?.phase == .underWay else {
            statistics.drops.count(.outOfOrder)
            return end(.broken, isPeers: false, keepsPart: false)
        }
        // Change the batch in place, as a copy would copy the queued messages.
        guard batch?.takesCredit(message.size) == true else {
            statistics.drops.count(.overCredit)
            return end(.broken, isPeers: false, keepsPart: false)
        }
        batch?.lastProgress = now
        batch?.inbox.append(message)
        goOn(now: now)
    }

    private mutating func offered(_ offer: FileOffer, now: Instant) {
        if let known = ended.last(where: { $0.id == offer.batch }) {
            switch known.ending {
            case .done(let count, let failed):
                guard count == offer.count else { return refuse(offer.batch, .broken, .outOfOrder) }
                answer(.accept(offer.batch, next: count, failed: UInt32(failed)))
            case .refused(let reason): refuse(offer.batch, reason, .late)
            }
            return
        }
        if let current = batch {
            if current.offer.batch == offer.batch {
                guard current.isInterrupted else { return statistics.drops.count(.offerTwice) }
                guard current.offer == offer else {
                    statistics.drops.count(.outOfOrder)
                    return end(.broken, isPeers: false, keepsPart: false)
                }
                return goOnWithChannel(now: now)
            }
            guard current.isInterrupted || current.phase != .underWay else {
                return refuse(offer.batch, .busy, .offerBusy)
            }
            // The sender must have ended the current batch, as it offers one batch at a time.
            end(.cancelled, isPeers: true, keepsPart: true)
        }
        guard permission != .never else { return refuse(offer.batch, .notAllowed, .offerNotAllowed) }
        guard Int(offer.count) <= settings.mostFiles else { return refuse(offer.batch, .tooMany, .offerTooLarge) }
        guard offer.bytes <= settings.mostBytes else { return refuse(offer.batch, .tooLarge, .offerTooLarge) }
        guard permission == .always || now >= nextQuestion else { return refuse(offer.batch, .busy, .offerTooSoon) }
        // Query the disk's free space once at a time, however many batches are offered.
        guard !isMeasuring else { return refuse(offer.batch, .busy, .offerTooSoon) }
        isMeasuring = true
        batch = IncomingBatch(offer, window: settings.window, now: now)
        outputs.append(.disk(.measure(offer.batch)))
        diskSince = now
    }

    private mutating func goOnWithChannel(now: Instant) {
        batch?.isInterrupted = false
        batch?.lastProgress = now
        guard let batch, batch.phase == .underWay else { return }
        // Wait while a file is being finished, as `accept` contains the index of the next entry and the number of
        // failed entries.
        if batch.file?.phase != .finishing { tellAccepted() }
    }

    mutating func accept(now: Instant) {
        if let batch { outputs.append(.disk(.promise(batch.offer.batch, batch.offer.bytes))) }
        batch?.phase = .underWay
        batch?.lastProgress = now
        if batch?.isInterrupted == false { tellAccepted() }
    }

    mutating func tellAccepted() {
        guard let batch else { return }
        self.batch?.giveFirstCredit()
        answer(.accept(batch.offer.batch, next: UInt32(batch.next), failed: UInt32(batch.failed)))
    }

    /// Queues an answer for the channel.
    mutating func answer(_ message: FileMessage) {
        // Verdicts always fit into the queue, as `goOn` processes no messages while many answers wait.
        guard answers.count < 2 * settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(message)
    }

    private mutating func refuse(_ id: BatchID, _ reason: FileRefusal, _ drop: FileDrop) {
        statistics.drops.count(drop)
        guard answers.count < settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(.refuse(id, reason))
    }

    // MARK: Ends

    /// Ends the batch, and notifies the sender and the user.
    ///
    /// - Parameters:
    ///   - reason: `nil` if all entries were processed.
    ///   - isPeers: true if the sender ended the batch, so that it is not notified.
    ///   - keepsPart: true to keep the current file's part, to be resumed.
    mutating func end(_ reason: FileRefusal?, isPeers: Bool, keepsPart: Bool) {
        guard let batch else { return }
        let id = batch.offer.batch
        self.batch = nil
        diskSince = nil
        if let file = batch.file, file.phase != .givenUp {
            outputs.append(.disk(keepsPart && file.isResumable ? .keep(file.job) : .discard(file.job)))
        }
        outputs.append(.disk(.forget(id)))
        if batch.phase == .asking { outputs.append(.unask(id)) }
        if ended.count == Self.mostEnded { ended.removeFirst() }
        // A batch whose part is kept may be offered again, so do not store its result.
        if !keepsPart {
            ended.append((id, reason.map(Ending.refused) ?? .done(count: batch.offer.count, failed: batch.failed)))
        }
        if let reason, !isPeers, isConnected, !batch.isInterrupted { answer(.refuse(id, reason)) }
        outputs.append(
            .over(
                BatchOutcome(
                    batch: id, direction: .receiving, arrived: batch.next - batch.failed, failed: batch.failed,
                    reason: reason, isPeers: isPeers)))
    }

    // MARK: Messages

    /// The next message of at most `room` bytes; `nil` if there is none.
    mutating func nextMessage(room: Int, now: Instant) -> FileMessage? {
        guard isConnected else { return nil }
        if let message = answers.first {
            guard message.size <= room else { return nil }
            answers.removeFirst()
            goOn(now: now)
            return message
        }
        guard let batch, batch.isCreditDue else { return nil }
        let message = FileMessage.credit(batch.offer.batch, total: batch.given)
        guard message.size <= room else { return nil }
        self.batch?.isCreditDue = false
        return message
    }

    // MARK: Time

    mutating func tick(now: Instant) {
        guard let due = deadline, due.at <= now, let batch else { return }
        if diskSince.map({ $0 + settings.diskPatience <= now }) ?? false {
            end(.diskFailed, isPeers: false, keepsPart: false)
        } else {
            end(.timedOut, isPeers: false, keepsPart: batch.phase == .underWay)
        }
    }

    var deadline: Deadline? {
        guard let batch else { return nil }
        if let diskSince { return Deadline(at: diskSince + settings.diskPatience, why: "file to be written") }
        if batch.phase == .asking {
            return Deadline(at: batch.lastProgress + settings.questionPatience, why: "answer to a question about files")
        }
        if batch.isInterrupted || !isConnected {
            return Deadline(at: batch.lastProgress + settings.absence, why: "files to come on a new channel")
        }
        return Deadline(at: batch.lastProgress + settings.longPatience, why: "files to come")
    }

    mutating func progress(now: Instant) -> FileProgress? {
        guard let batch, batch.phase == .underWay else { return nil }
        self.batch?.meter.note(batch.doneBytes, now: now)
        let count = Int(batch.offer.count)
        return FileProgress(
            batch.offer.batch, .receiving, index: min(batch.next + 1, count), count: count, bytes: batch.doneBytes,
            totalBytes: batch.offer.bytes, rate: self.batch?.meter.rate ?? 0, isInterrupted: batch.isInterrupted)
    }

    var isIdle: Bool { batch == nil }
    var isUnderWay: Bool { batch.map { $0.phase == .underWay && !$0.isInterrupted } ?? false }
}
