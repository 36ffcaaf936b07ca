internal import DequeModule
import HelioCore
import HelioTransferWire

// The receiver's handling of the disk's answers.

extension FileReceiver {
    mutating func took(_ id: BatchID, space: UInt64?, now: Instant) {
        isMeasuring = false
        guard let batch, batch.offer.batch == id, batch.phase == .measuring else {
            return statistics.drops.count(.lateDisk)
        }
        diskSince = nil
        guard let space else { return end(.diskFailed, isPeers: false, keepsPart: false) }
        guard batch.offer.bytes <= space else { return end(.noSpace, isPeers: false, keepsPart: false) }
        let question = FileQuestion(
            batch: id, name: SafeName(cleaning: batch.offer.name), count: Int(batch.offer.count),
            bytes: batch.offer.bytes)
        if permission == .always {
            outputs.append(.taken(question))
            return accept(now: now)
        }
        self.batch?.phase = .asking
        self.batch?.lastProgress = now
        nextQuestion = now + questionInterval
        questionInterval = min(questionInterval * 2, settings.longestQuestionInterval)
        outputs.append(.ask(question))
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

    /// Accepts a batch that the sender has offered again, if the position to resume at was not known until now.
    private mutating func tellIfKnownNow() {
        if let batch, !batch.isInterrupted, batch.given == 0 { tellAccepted() }
    }

    /// Handles a failure of the disk: fails the file, or ends the batch.
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
}
