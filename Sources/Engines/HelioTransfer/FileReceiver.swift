internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// What comes here: one batch at a time.
struct FileReceiver {
    /// How a batch ended that the sender may not know of yet.
    private enum Ending {
        case done(failed: Int)
        case refused(FileRefusal)
    }

    /// The batches that are remembered by their ends.
    private static let mostEnded = 8
    /// The bytes of what is read back at once.
    private static let readSize = 64 * 1024

    private let settings: FileSettings
    private let hash: any IncrementalHash
    var outputs = Deque<FileExchange.Output>()
    private(set) var statistics = FileStatistics()
    private(set) var permission: FilePermission
    private(set) var isConnected = false
    private var batch: IncomingBatch?
    private var ended = Deque<(id: BatchID, ending: Ending)>()
    /// Refusals, wishes and verdicts that wait for the channel.
    private var answers = Deque<FileMessage>()
    /// Since when the disk owes an answer.
    private var diskSince: Instant?
    /// True until the disk has said how much room there is, even if nobody waits for that any more.
    private var isMeasuring = false
    private var nextJob: UInt64 = 2
    private var nextQuestion: Instant
    private var questionInterval: Duration

    init(_ permission: FilePermission, settings: FileSettings, hash: any IncrementalHash, now: Instant) {
        self.permission = permission
        self.settings = settings
        self.hash = hash
        nextQuestion = now
        questionInterval = settings.questionInterval
    }

    /// The bytes that wait for the disk.
    var bufferedBytes: Int {
        (batch?.inbox.reduce(0) { $0 + $1.size } ?? 0) + (batch?.file?.writing.reduce(0, +) ?? 0)
    }

    // MARK: The person

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
        // Whoever offers again is told again.
        answers = []
        batch?.interrupt(now: now)
        guard let file = batch?.file else { return }
        switch file.phase {
        case .wanting, .writing, .held:
            guard file.isResumable else { return letGo(file) }
            batch?.file?.hold()
        case .opening, .hashing: letGo(file)
        case .finishing: break
        case .givenUp: passFile()
        }
    }

    /// Lets go of a file that is begun anew with the next channel.
    private mutating func letGo(_ file: IncomingFile) {
        outputs.append(.disk(file.isResumable ? .keep(file.job) : .discard(file.job)))
        batch?.file = nil
        diskSince = nil
    }

    mutating func took(_ message: FileMessage, now: Instant) {
        if case .offer(let offer) = message { return offered(offer, now: now) }
        guard let batch, batch.offer.batch == message.batch else { return statistics.drops.count(.late) }
        if case .withdraw(_, let reason) = message { return end(reason, isPeers: true, keepsPart: false) }
        guard !batch.isInterrupted else { return statistics.drops.count(.late) }
        guard batch.phase == .underWay else {
            statistics.drops.count(.outOfOrder)
            return end(.broken, isPeers: false, keepsPart: false)
        }
        let received = batch.received + UInt64(message.size)
        guard received <= batch.given else {
            statistics.drops.count(.overCredit)
            return end(.broken, isPeers: false, keepsPart: false)
        }
        self.batch?.received = received
        self.batch?.lastProgress = now
        self.batch?.inbox.append(message)
        goOn(now: now)
    }

    private mutating func offered(_ offer: FileOffer, now: Instant) {
        if let known = ended.last(where: { $0.id == offer.batch }) {
            switch known.ending {
            case .done(let failed): answer(.accept(offer.batch, next: offer.count, failed: UInt32(failed)))
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
            // The sender does not know of that one any more: it offers one at a time.
            end(.cancelled, isPeers: true, keepsPart: true)
        }
        guard permission != .never else { return refuse(offer.batch, .notAllowed, .offerNotAllowed) }
        guard Int(offer.count) <= settings.mostFiles else { return refuse(offer.batch, .tooMany, .offerTooLarge) }
        guard offer.bytes <= settings.mostBytes else { return refuse(offer.batch, .tooLarge, .offerTooLarge) }
        guard permission == .always || now >= nextQuestion else { return refuse(offer.batch, .busy, .offerTooSoon) }
        // The disk is asked once at a time, whatever comes.
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
        // Of one that is being finished it is not known yet whether it is to be sent again.
        if batch.file?.phase != .finishing { tellAccepted() }
    }

    private mutating func accept(now: Instant) {
        batch?.phase = .underWay
        batch?.lastProgress = now
        if batch?.isInterrupted == false { tellAccepted() }
    }

    private mutating func tellAccepted() {
        guard let batch else { return }
        self.batch?.giveFirstCredit()
        answer(.accept(batch.offer.batch, next: UInt32(batch.next), failed: UInt32(batch.failed)))
    }

    /// Keeps an answer until the channel takes it.
    private mutating func answer(_ message: FileMessage) {
        // Verdicts find their place: nothing more is dealt with while there are many.
        guard answers.count < 2 * settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(message)
    }

    private mutating func refuse(_ id: BatchID, _ reason: FileRefusal, _ drop: FileDrop) {
        statistics.drops.count(drop)
        guard answers.count < settings.answers else { return statistics.drops.count(.answerDropped) }
        answers.append(.refuse(id, reason))
    }

    // MARK: What came

    /// Deals with what came, as far as the disk is.
    mutating func goOn(now: Instant) {
        while answers.count < settings.answers, isReady, let message = batch?.inbox.popFirst() {
            if case .data(_, let bytes) = message, batch?.file?.phase == .writing {
                write(bytes, size: message.size, now: now)
                continue
            }
            batch?.consume(message.size)
            guard take(message, now: now) else {
                statistics.drops.count(.outOfOrder)
                return end(.broken, isPeers: false, keepsPart: false)
            }
        }
        guard let batch, batch.phase == .underWay else { return }
        // The sender says nothing more of a last file that was given up.
        if batch.file?.phase == .givenUp, batch.next + 1 == Int(batch.offer.count) { passFile() }
        if self.batch?.next == Int(batch.offer.count) { end(nil, isPeers: false, keepsPart: false) }
    }

    /// False where the disk has to answer before anything else is dealt with.
    private var isReady: Bool {
        switch batch?.file?.phase {
        case .opening, .hashing, .finishing: false
        default: true
        }
    }

    /// Takes a message in its turn. Returns false where it is not its turn.
    private mutating func take(_ message: FileMessage, now: Instant) -> Bool {
        guard let batch else { return true }
        if batch.file?.phase == .givenUp {
            switch message {
            case .begin, .data, .end:
                statistics.drops.count(.ofGivenUp)
                return true
            case .skip(_, let index, _) where Int(index) == batch.next:
                statistics.drops.count(.ofGivenUp)
                return true
            default: passFile()
            }
        }
        switch message {
        case .entry(_, let index, let entry): return announced(Int(index), entry, now: now)
        case .skip(_, let index, let reason):
            guard let current = self.batch, Int(index) == current.next, Int(index) < Int(current.offer.count) else {
                return false
            }
            if let file = current.file {
                outputs.append(.disk(.discard(file.job)))
                self.batch?.file = nil
            }
            judge(reason, name: current.file.map { $0.entry.path.last ?? "" } ?? "")
            self.batch?.next += 1
            return true
        case .begin(_, let offset):
            guard let file = batch.file, file.phase == .wanting, offset == file.position || offset == 0 else {
                return false
            }
            if offset == 0 { self.batch?.file?.begin() }
            self.batch?.file?.phase = .writing
            return true
        case .end(_, let digest):
            guard let file = batch.file, file.phase == .writing, file.position == file.entry.size else { return false }
            guard file.hash.digest() == digest.bytes else {
                giveUp(.damaged)
                return true
            }
            self.batch?.file?.phase = .finishing
            outputs.append(.disk(.finish(file.job)))
            diskSince = diskSince ?? now
            return true
        default: return false
        }
    }

    private mutating func announced(_ index: Int, _ entry: FileEntry, now: Instant) -> Bool {
        guard let batch, index == batch.next, index < Int(batch.offer.count) else { return false }
        let (total, isOver) = batch.claimedBytes.addingReportingOverflow(entry.size)
        guard !isOver, total <= batch.offer.bytes else {
            statistics.drops.count(.overSize)
            return false
        }
        if let file = batch.file {
            guard file.phase == .held else { return false }
            if file.entry == entry {
                want()
                return true
            }
            outputs.append(.disk(.discard(file.job)))
        }
        let job = DiskJob(nextJob)
        nextJob += 2
        let path = entry.path.map { SafeName(cleaning: $0) }
        var file = IncomingFile(entry, job: job, hash: hash)
        if entry.isFolder { file.phase = .finishing }
        self.batch?.file = file
        diskSince = now
        if entry.isFolder {
            outputs.append(.disk(.makeFolder(job, batch.offer.batch, path)))
        } else {
            outputs.append(
                .disk(.create(job, batch.offer.batch, path, size: entry.size, modified: entry.modified)))
        }
        return true
    }

    /// Tells the sender what there is of the file.
    private mutating func want() {
        guard let batch, let file = batch.file else { return }
        self.batch?.file?.phase = .wanting
        answer(
            .want(
                batch.offer.batch, index: UInt32(batch.next), offset: file.position,
                file.position == 0 ? nil : FileDigest(file.hash.digest())))
    }

    private mutating func write(_ bytes: [UInt8], size: Int, now: Instant) {
        guard let file = batch?.file, UInt64(bytes.count) <= file.entry.size - file.position else {
            statistics.drops.count(.overSize)
            return end(.broken, isPeers: false, keepsPart: false)
        }
        statistics.bytesReceived += UInt64(bytes.count)
        // Where it was: `file` is from before.
        outputs.append(.disk(.write(file.job, offset: file.position, bytes)))
        batch?.file?.take(bytes, size: size)
        diskSince = diskSince ?? now
    }

    /// Gives the verdict on the current file, whose other messages are thrown away.
    private mutating func giveUp(_ reason: FileRefusal) {
        guard let file = batch?.file else { return }
        outputs.append(.disk(.discard(file.job)))
        for size in file.writing { batch?.consume(size) }
        batch?.file?.writing = []
        batch?.file?.phase = .givenUp
        diskSince = nil
        judge(reason, name: file.entry.path.last ?? "")
    }

    /// Goes on behind a file that was given up.
    private mutating func passFile() {
        guard let file = batch?.file else { return }
        batch?.claimedBytes += file.entry.size
        batch?.next += 1
        batch?.file = nil
    }

    private mutating func judge(_ failure: FileRefusal?, name: String) {
        guard let batch else { return }
        if failure == nil {
            statistics.filesReceived += 1
        } else {
            statistics.filesFailed += 1
            self.batch?.failed += 1
        }
        let shown = failure == nil ? name : SafeName(cleaning: name).text
        outputs.append(
            .file(
                FileOutcome(
                    batch: batch.offer.batch, direction: .receiving, index: batch.next, name: shown, failure: failure)))
        // Where the channel was cut in the meantime the sender is told of it by the number of the next one.
        if batch.given > 0 { answer(.verdict(batch.offer.batch, index: UInt32(batch.next), failure)) }
    }

    // MARK: The disk

    mutating func took(_ id: BatchID, space: UInt64?, now: Instant) {
        isMeasuring = false
        guard let batch, batch.offer.batch == id, batch.phase == .measuring else {
            return statistics.drops.count(.lateDisk)
        }
        diskSince = nil
        guard let space else { return end(.diskFailed, isPeers: false, keepsPart: false) }
        guard batch.offer.bytes <= space else { return end(.noSpace, isPeers: false, keepsPart: false) }
        if permission == .always { return accept(now: now) }
        self.batch?.phase = .asking
        self.batch?.lastProgress = now
        nextQuestion = now + questionInterval
        questionInterval = min(questionInterval * 2, settings.longestQuestionInterval)
        outputs.append(
            .ask(
                FileQuestion(
                    batch: id, name: SafeName(cleaning: batch.offer.name), count: Int(batch.offer.count),
                    bytes: batch.offer.bytes)))
    }

    mutating func took(_ reply: FileDiskReply, of job: DiskJob, now: Instant) {
        guard let batch, let file = batch.file, file.job == job, file.phase != .givenUp else {
            return statistics.drops.count(.lateDisk)
        }
        self.batch?.lastProgress = now
        switch (reply, file.phase) {
        case (.opened(_, let bytes), .opening): opened(bytes)
        case (.read(_, let bytes), .hashing(let end)):
            guard !bytes.isEmpty, UInt64(bytes.count) <= end - file.position else { return fail(.diskFailed) }
            self.batch?.file?.take(bytes, size: nil)
            readBack()
        case (.wrote, .writing), (.wrote, .wanting), (.wrote, .held), (.wrote, .finishing):
            guard let size = self.batch?.file?.writing.popFirst() else { return statistics.drops.count(.lateDisk) }
            if size > 0 { self.batch?.consume(size) }
        case (.finished(_, let name), .finishing): finished(name)
        case (.failed(_, let reason), _): fail(reason)
        default: return statistics.drops.count(.lateDisk)
        }
        diskSince = self.batch?.file?.waitsForDisk == true ? now : nil
        goOn(now: now)
    }

    private mutating func opened(_ bytes: UInt64) {
        guard let file = batch?.file else { return }
        guard file.isResumable else {
            batch?.file?.phase = .writing
            return
        }
        batch?.file?.phase = .hashing(upTo: min(bytes, file.entry.size))
        readBack()
    }

    private mutating func readBack() {
        guard let file = batch?.file, case .hashing(let end) = file.phase else { return }
        guard file.position < end else { return want() }
        let count = Int(min(UInt64(Self.readSize), end - file.position))
        outputs.append(.disk(.read(file.job, offset: file.position, count: count)))
    }

    private mutating func finished(_ name: String) {
        judge(nil, name: name)
        passFile()
        tellIfKnownNow()
    }

    /// Tells the sender where to go on, where that was not known when it offered the batch again.
    private mutating func tellIfKnownNow() {
        if let batch, !batch.isInterrupted, batch.given == 0 { tellAccepted() }
    }

    /// The disk failed: with the file, or for all.
    private mutating func fail(_ reason: FileRefusal) {
        switch reason {
        case .noSpace, .diskFailed: end(reason, isPeers: false, keepsPart: false)
        default:
            giveUp(reason)
            guard batch?.given == 0 else { return }
            passFile()
            tellIfKnownNow()
        }
    }

    // MARK: Ends

    /// Ends the batch, and says so to both sides; `nil`: all of it was dealt with.
    private mutating func end(_ reason: FileRefusal?, isPeers: Bool, keepsPart: Bool) {
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
        // What is kept may be offered again.
        if !keepsPart { ended.append((id, reason.map(Ending.refused) ?? .done(failed: batch.failed))) }
        if let reason, !isPeers, isConnected, !batch.isInterrupted { answer(.refuse(id, reason)) }
        outputs.append(
            .over(
                BatchOutcome(
                    batch: id, direction: .receiving, arrived: batch.next - batch.failed, failed: batch.failed,
                    reason: reason, isPeers: isPeers)))
    }

    // MARK: Messages

    /// The next message that the channel takes.
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

    /// True where there is something to tell of progress.
    var isUnderWay: Bool { batch.map { $0.phase == .underWay && !$0.isInterrupted } ?? false }
}
