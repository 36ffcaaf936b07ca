internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

// The receiver's handling of a batch's entries, one after the other.

extension FileReceiver {
    /// Processes the queued messages, until the next one has to wait for the disk or for space in `answers`.
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
        // If the last file has failed, no message of a following entry shows that the sender has moved on, so pass the
        // file now.
        if batch.file?.phase == .givenUp, batch.next + 1 == Int(batch.offer.count) { passFile() }
        if self.batch?.next == Int(batch.offer.count) { end(nil, isPeers: false, keepsPart: false) }
    }

    /// False while the disk has to answer before the next message is processed.
    private var isReady: Bool {
        switch batch?.file?.phase {
        case .opening, .hashing, .finishing: false
        default: true
        }
    }

    /// Processes the next message. Returns false if it is out of order.
    private mutating func take(_ message: FileMessage, now: Instant) -> Bool {
        guard let batch else { return true }
        if batch.file?.phase == .givenUp {
            switch message {
            case .begin, .data, .end:
                statistics.drops.count(.ofGivenUp)
                return true
            case .entry(_, let index, _) where Int(index) == batch.next,
                .skip(_, let index, _) where Int(index) == batch.next:
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
            discard()
            self.batch?.file = nil
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

    /// Requests the current file from `position` on: sends the length and digest of the part that this end has.
    mutating func want() {
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
        // The write begins at the former position: `file` is a copy made before `take`.
        outputs.append(.disk(.write(file.job, offset: file.position, bytes)))
        batch?.file?.take(bytes, size: size)
        diskSince = diskSince ?? now
    }

    /// Fails the current file: deletes its part, sends the verdict, and drops the file's further messages.
    mutating func giveUp(_ reason: FileRefusal) {
        guard let file = batch?.file else { return }
        discard()
        batch?.file?.phase = .givenUp
        judge(reason, name: file.entry.path.last ?? "")
    }

    /// Deletes the received part of the current file, and stops waiting for its writes.
    private mutating func discard() {
        guard let file = batch?.file else { return }
        outputs.append(.disk(.discard(file.job)))
        for size in file.writing where size > 0 { batch?.consume(size) }
        batch?.file?.writing = []
        diskSince = nil
    }

    /// Moves on to the next entry after a file that is finished or has failed.
    mutating func passFile() {
        guard let file = batch?.file else { return }
        batch?.claimedBytes += file.entry.size
        batch?.next += 1
        batch?.file = nil
    }

    mutating func judge(_ failure: FileRefusal?, name: String) {
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
        // If the channel was cut in the meantime, send no verdict: the index of the next entry in `accept` tells the
        // sender that this entry is done.
        if batch.given > 0 { answer(.verdict(batch.offer.batch, index: UInt32(batch.next), failure)) }
    }
}
