internal import DequeModule
import HelioCore
import HelioProtection
import HelioTransferWire

/// The sending side of a file exchange: batches, one after the other.
struct FileSender {
    /// The minimum size of a data message's content in bytes, unless fewer bytes are buffered.
    private static let leastPiece = 1024

    private let settings: FileSettings
    private let hash: any IncrementalHash
    var outputs = Deque<FileExchange.Output>()
    private(set) var statistics = FileStatistics()
    /// The batches in the order of sending; the first is being sent, or is the next to be offered.
    private var batches = Deque<OutgoingBatch>()
    private(set) var isConnected = false
    private var lostChannel: Instant
    /// Withdrawals of ended batches, queued for the channel.
    private var withdrawals = Deque<FileMessage>()
    /// The time from which an answer of the disk is awaited; `nil` if none is awaited.
    private var diskSince: Instant?
    private var nextJob: UInt64 = 1

    init(settings: FileSettings, hash: any IncrementalHash, now: Instant) {
        self.settings = settings
        self.hash = hash
        lostChannel = now
    }

    var bufferedBytes: Int { batches.first?.file?.bufferedBytes ?? 0 }

    // MARK: The user

    mutating func send(_ id: BatchID, _ entries: [FileEntry], now: Instant) {
        let fits = batches.count < settings.batches && !entries.isEmpty && entries.count <= Int(UInt32.max)
        let isNew = !batches.contains { $0.id == id }
        guard fits, isNew, FileEntry.mostBytes >= entries.reduce(0, { min($0 + $1.size, .max >> 1) }) else {
            outputs.append(
                .over(
                    BatchOutcome(
                        batch: id, direction: .sending, arrived: 0, failed: 0,
                        reason: fits && isNew ? .tooLarge : .busy, isPeers: false)))
            return
        }
        batches.append(OutgoingBatch(id, entries, now: now))
    }

    /// Cancels a batch for the user; returns false if there is none with this ID.
    mutating func cancel(_ id: BatchID) -> Bool {
        guard let index = batches.firstIndex(where: { $0.id == id }) else { return false }
        end(index, .cancelled, isPeers: false)
        return true
    }

    // MARK: The channel

    mutating func opened(now: Instant) {
        isConnected = true
        if !batches.isEmpty { batches[0].lastProgress = now }
    }

    mutating func closed(now: Instant) {
        isConnected = false
        lostChannel = now
        guard !batches.isEmpty else { return }
        batches[0].phase = .waiting
        batches[0].file?.announceAgain()
        batches[0].meter.reset()
    }

    mutating func took(_ message: FileMessage, now: Instant) {
        guard let batch = batches.first, batch.id == message.batch, batch.phase != .waiting else {
            return statistics.drops.count(.late)
        }
        batches[0].lastProgress = now
        switch message {
        case .accept(_, let next, let failed): accepted(Int(next), failed: Int(failed))
        case .refuse(_, let reason): end(0, reason, isPeers: true)
        case .want(_, let index, let offset, let digest): wanted(Int(index), offset, digest)
        case .credit(_, let total):
            guard total >= batch.credit else { return statistics.drops.count(.creditWentBack) }
            batches[0].credit = total
        case .verdict(_, let index, let failure): judged(Int(index), failure)
        default: break
        }
        goOn(now: now)
    }

    private mutating func accepted(_ next: Int, failed: Int) {
        guard batches[0].phase == .offered, next <= batches[0].entries.count else { return breakOff() }
        batches[0].phase = .underWay
        (batches[0].used, batches[0].credit) = (0, 0)
        (batches[0].verdicts, batches[0].failed) = (next, failed)
        if batches[0].next != next || batches[0].file == nil {
            closeFile()
            batches[0].next = next
            batches[0].passedBytes = batches[0].entries.prefix(next).reduce(0) { $0 + $1.size }
        }
    }

    private mutating func wanted(_ index: Int, _ offset: UInt64, _ digest: FileDigest?) {
        guard let file = batches[0].file, index == batches[0].next, file.phase == .asked, offset <= file.entry.size
        else {
            // The file may have failed in the meantime, so that the request is late.
            guard batches[0].phase == .underWay, index < batches[0].next else { return breakOff() }
            return statistics.drops.count(.ofGivenUp)
        }
        if let digest {
            batches[0].file?.check(upTo: offset, digest)
        } else {
            batches[0].file?.begin()
            batches[0].file?.phase = .beginning
        }
    }

    private mutating func judged(_ index: Int, _ failure: FileRefusal?) {
        let batch = batches[0]
        guard batch.phase == .underWay, index == batch.verdicts, index <= batch.next, index < batch.entries.count else {
            return breakOff()
        }
        if index == batch.next {
            // A verdict before the file is fully sent can only be a failure.
            guard failure != nil else { return breakOff() }
            closeFile()
            batches[0].advance()
        }
        batches[0].verdicts += 1
        if failure == nil { statistics.filesSent += 1 } else { statistics.filesFailed += 1 }
        if failure != nil { batches[0].failed += 1 }
        outputs.append(
            .file(
                FileOutcome(
                    batch: batch.id, direction: .sending, index: index,
                    name: batch.entries[index].path.joined(separator: "/"), failure: failure)))
    }

    /// Ends the current batch, as its receiver violates the protocol.
    private mutating func breakOff() {
        statistics.drops.count(.outOfOrder)
        end(0, .broken, isPeers: false)
    }

    // MARK: The disk

    mutating func took(_ reply: FileDiskReply, of job: DiskJob, now: Instant) {
        guard let file = batches.first?.file, file.job == job else { return statistics.drops.count(.lateDisk) }
        diskSince = nil
        switch reply {
        case .opened(_, let bytes):
            guard file.phase == .opening else { return statistics.drops.count(.lateDisk) }
            batches[0].file?.phase = bytes == file.entry.size ? .announcing : .skipping(.changed)
        case .read(_, let bytes):
            guard let isRight = batches[0].file?.took(bytes) else { return }
            if !isRight { batches[0].file?.phase = .skipping(.changed) }
        case .failed(_, let reason): batches[0].file?.phase = .skipping(reason)
        default: return statistics.drops.count(.lateDisk)
        }
        // Reading a file to compare it with the receiver's part counts as progress, too.
        batches[0].lastProgress = now
        goOn(now: now)
    }

    private mutating func closeFile() {
        if let job = batches[0].file?.job { outputs.append(.disk(.close(job))) }
        batches[0].file = nil
        diskSince = nil
    }

    /// Opens and reads the next file, and ends a batch whose verdicts are complete.
    private mutating func goOn(now: Instant) {
        guard let batch = batches.first, batch.phase == .underWay else { return }
        if batch.file == nil, batch.next < batch.entries.count {
            let entry = batch.entries[batch.next]
            var job: DiskJob?
            if !entry.isFolder {
                let opened = DiskJob(nextJob)
                // Skip even numbers, which are the receiver's.
                nextJob += 2
                job = opened
                outputs.append(.disk(.openSource(opened, batch.id, index: batch.next)))
                diskSince = now
            }
            batches[0].file = OutgoingFile(entry, job: job, hash: hash)
        }
        if let job = batches[0].file?.job, let (offset, count) = batches[0].file?.nextRead() {
            outputs.append(.disk(.read(job, offset: offset, count: count)))
            diskSince = now
        }
        if batch.verdicts == batch.entries.count { end(0, nil, isPeers: false) }
    }

    /// Ends a batch, and notifies the receiver and the user.
    private mutating func end(_ index: Int, _ reason: FileRefusal?, isPeers: Bool) {
        if index == 0 { closeFile() }
        let batch = batches.remove(at: index)
        if let reason, !isPeers, batch.isKnown {
            if withdrawals.count < settings.answers {
                withdrawals.append(.withdraw(batch.id, reason))
            } else {
                statistics.drops.count(.answerDropped)
            }
        }
        outputs.append(.disk(.forget(batch.id)))
        outputs.append(
            .over(
                BatchOutcome(
                    batch: batch.id, direction: .sending, arrived: batch.verdicts - batch.failed, failed: batch.failed,
                    reason: reason, isPeers: isPeers)))
    }

    // MARK: Messages

    /// The next message of at most `room` bytes; `nil` if there is none.
    mutating func nextMessage(room: Int, now: Instant) -> FileMessage? {
        guard isConnected else { return nil }
        if let message = withdrawals.first {
            return message.size <= room ? withdrawals.removeFirst() : nil
        }
        goOn(now: now)
        guard let batch = batches.first else { return nil }
        switch batch.phase {
        case .offered: return nil
        case .waiting:
            let message = FileMessage.offer(batch.offer)
            guard message.size <= room else { return nil }
            batches[0].phase = .offered
            batches[0].isKnown = true
            batches[0].lastProgress = now
            return message
        case .underWay:
            guard let message = nextOfFile(min(room, Int(clamping: batch.credit - min(batch.used, batch.credit))))
            else {
                return nil
            }
            batches[0].used += UInt64(message.size)
            batches[0].lastProgress = now
            goOn(now: now)
            return message
        }
    }

    private mutating func nextOfFile(_ room: Int) -> FileMessage? {
        guard let file = batches[0].file else { return nil }
        let batch = batches[0].id
        let index = UInt32(batches[0].next)
        func fits(_ message: FileMessage) -> FileMessage? { message.size <= room ? message : nil }
        switch file.phase {
        case .opening, .asked, .checking: return nil
        case .announcing:
            guard let message = fits(.entry(batch, index: index, file.entry)) else { return nil }
            if file.entry.isFolder {
                batches[0].advance()
            } else if file.entry.size >= FileMessage.resumableSize {
                batches[0].file?.phase = .asked
            } else {
                batches[0].file?.begin()
                batches[0].file?.phase = .sending
            }
            return message
        case .beginning:
            guard let message = fits(.begin(batch, offset: file.sent)) else { return nil }
            batches[0].file?.phase = .sending
            return message
        case .skipping(let reason):
            guard let message = fits(.skip(batch, index: index, reason)) else { return nil }
            closeFile()
            batches[0].advance()
            return message
        case .sending:
            if file.isSent {
                guard let message = fits(.end(batch, file.digest)) else { return nil }
                closeFile()
                batches[0].advance()
                return message
            }
            let count = min(file.bufferedBytes, FileMessage.mostData)
            let space = room - FileMessage.dataHeaderSize
            guard count > 0, space >= min(count, Self.leastPiece),
                let piece = batches[0].file?.takePiece(min(count, space))
            else { return nil }
            statistics.bytesSent += UInt64(piece.count)
            return .data(batch, piece)
        }
    }

    // MARK: Time

    mutating func tick(now: Instant) {
        guard let due = deadline, due.at <= now else { return }
        if let since = diskSince, since + settings.diskPatience <= now {
            // The disk may answer later, or never, so skip the file.
            diskSince = nil
            batches[0].file?.phase = .skipping(.unreadable)
            batches[0].lastProgress = now
        } else {
            end(0, .timedOut, isPeers: false)
        }
        if !batches.isEmpty { batches[0].lastProgress = now }
        goOn(now: now)
    }

    var deadline: Deadline? {
        guard let batch = batches.first else { return nil }
        guard isConnected else {
            return Deadline(
                at: max(lostChannel, batch.lastProgress) + settings.absence, why: "files wait for a channel")
        }
        if let diskSince { return Deadline(at: diskSince + settings.diskPatience, why: "file to be read") }
        switch batch.phase {
        case .waiting:
            return Deadline(at: batch.lastProgress + settings.longPatience, why: "room for an offer of files")
        case .offered:
            return Deadline(at: batch.lastProgress + settings.offerPatience, why: "answer to an offer of files")
        case .underWay:
            if batch.file?.phase == .asked {
                return Deadline(at: batch.lastProgress + settings.longPatience, why: "beginning of a file")
            }
            let isOut = batch.credit - min(batch.used, batch.credit) < UInt64(FileMessage.mostData)
            if batch.file == nil || isOut {
                return Deadline(at: batch.lastProgress + settings.patience, why: "credit or verdict of files")
            }
            return Deadline(at: batch.lastProgress + settings.longPatience, why: "room for files")
        }
    }

    mutating func progress(now: Instant) -> FileProgress? {
        guard let batch = batches.first, batch.phase == .underWay || !isConnected else { return nil }
        batches[0].meter.note(batch.doneBytes, now: now)
        return FileProgress(
            batch.id, .sending, index: min(batch.next + 1, batch.entries.count), count: batch.entries.count,
            bytes: batch.doneBytes, totalBytes: batch.totalBytes, rate: batches[0].meter.rate,
            isInterrupted: !isConnected)
    }

    var isIdle: Bool { batches.isEmpty }
    var isUnderWay: Bool { isConnected && batches.first?.phase == .underWay }
}
