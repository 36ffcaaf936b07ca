internal import DequeModule
package import HelioCore
package import HelioProtection
package import HelioTransferWire

/// Exchanges files with the peer over the transfer channel: sends batches of files and folders, and receives the peer's
/// batches.
///
/// An exchange outlives its channel: when the channel is cut, a batch resumes on the next channel at the receiver's
/// position. One batch at a time is transferred in each direction. The number of bytes in flight that are not on the
/// receiver's disk yet is bounded, as are all queues. A received file gets its final name once it is complete and its
/// SHA-256 matches the sender's.
/// ```
///   person                          FileExchange                                channel
///     .send, .cancel, .answer ->          <- .opened, .closed, .received, .room
///     <- .ask, .unask, .progress, .file, .over          .send ->
///                             .disk <-> .disk
///                                disk
/// ```
package final class FileExchange: Engine {
    package enum Input: Sendable {
        // Inputs of the user.
        /// Queues files and folders for sending. The caller chooses the batch ID at random.
        case send(BatchID, [FileEntry])
        /// Cancels a batch, sent or received.
        case cancel(BatchID)
        /// The user's answer to the question of `ask`.
        case answer(BatchID, accepts: Bool)
        case permission(FilePermission)

        // Inputs of the channel.
        /// A new channel is open, on which nothing has been sent yet.
        case opened
        /// The channel was cut; messages sent last may not have arrived.
        case closed
        /// An unparsed message from the peer for which `FileMessage.isAboutFiles` is true.
        case received([UInt8])
        /// The number of bytes that the channel accepts now, after messages of higher priority. Replaces the previous
        /// number, from which each `send` subtracts its bytes.
        case room(Int)

        case disk(FileDiskReply)
    }

    package enum Output: Sendable {
        /// A message to send to the peer.
        case send([UInt8])
        case disk(FileDiskCommand)
        /// A question for the user (`ask`), or the withdrawal of one (`unask`).
        case ask(FileQuestion)
        case unask(BatchID)
        /// A batch was accepted without asking the user.
        case taken(FileQuestion)
        case progress(FileProgress)
        /// The outcome of one file or folder of a batch, sent or received.
        case file(FileOutcome)
        /// A batch has ended, sent or received.
        case over(BatchOutcome)
    }

    private let settings: FileSettings
    private var sender: FileSender
    private var receiver: FileReceiver
    private var outputs = Deque<Output>()
    private var malformed = FileStatistics()
    private var isConnected = false
    private var room = 0
    private var nextProgress: Instant
    /// The latest instant passed in; `poll` uses it, as it has no such parameter.
    private var now: Instant

    /// - Parameter hash: a SHA-256 without input, copied for each file.
    package init(
        permission: FilePermission, settings: FileSettings = FileSettings(), hash: any IncrementalHash, now: Instant
    ) {
        self.settings = settings
        self.now = now
        nextProgress = now
        sender = FileSender(settings: settings, hash: hash, now: now)
        receiver = FileReceiver(permission, settings: settings, hash: hash, now: now)
    }

    /// True if no batch is queued or under way, in either direction.
    package var isIdle: Bool { sender.isIdle && receiver.isIdle }

    /// The bytes of files held in memory.
    package var bufferedBytes: Int { sender.bufferedBytes + receiver.bufferedBytes }

    /// The summed statistics of both directions.
    package var statistics: FileStatistics { sender.statistics + receiver.statistics + malformed }

    package func handle(_ input: consuming Input, now: Instant) {
        self.now = now
        switch input {
        case .send(let batch, let entries): sender.send(batch, entries, now: now)
        case .cancel(let batch): if !sender.cancel(batch) { _ = receiver.cancel(batch) }
        case .answer(let batch, let accepts): receiver.answer(batch, accepts: accepts, now: now)
        case .permission(let permission): receiver.set(permission)
        case .opened:
            // Close the former channel if its end was not reported.
            if isConnected { close() }
            isConnected = true
            room = 0
            sender.opened(now: now)
            receiver.opened(now: now)
        case .closed: if isConnected { close() }
        case .received(let bytes): received(bytes)
        case .room(let bytes): room = min(max(0, bytes), settings.queue)
        case .disk(let reply): took(reply)
        }
    }

    package func tick(now: Instant) {
        self.now = now
        sender.tick(now: now)
        receiver.tick(now: now)
        if isUnderWay, now >= nextProgress { tellProgress() }
    }

    /// Returns outputs for this machine first, then messages for the peer as far as the channel accepts them.
    package func poll() -> Output? {
        if let output = nextOutput() { return output }
        guard let message = receiver.nextMessage(room: room, now: now) ?? sender.nextMessage(room: room, now: now)
        else {
            // The search for a message may have issued commands to the disk.
            return nextOutput()
        }
        room -= message.size
        return .send(message.serialised())
    }

    package var deadline: Deadline? {
        let progress = isUnderWay ? Deadline(at: nextProgress, why: "progress of files") : nil
        return .earliest(.earliest(sender.deadline, receiver.deadline), progress)
    }

    private func nextOutput() -> Output? {
        outputs.popFirst() ?? receiver.outputs.popFirst() ?? sender.outputs.popFirst()
    }

    private var isUnderWay: Bool { sender.isUnderWay || receiver.isUnderWay }

    private func close() {
        isConnected = false
        room = 0
        sender.closed(now: now)
        receiver.closed(now: now)
        tellProgress()
    }

    private func tellProgress() {
        nextProgress = now + settings.progressInterval
        if let progress = sender.progress(now: now) { outputs.append(.progress(progress)) }
        if let progress = receiver.progress(now: now) { outputs.append(.progress(progress)) }
    }

    private func received(_ bytes: [UInt8]) {
        guard isConnected else { return malformed.drops.count(.noChannel) }
        guard let message = try? FileMessage(parsing: bytes.span.bytes) else {
            return malformed.drops.count(.malformed)
        }
        switch message {
        case .offer, .entry, .begin, .data, .end, .skip, .withdraw: receiver.took(message, now: now)
        case .accept, .refuse, .want, .credit, .verdict: sender.took(message, now: now)
        }
    }

    private func took(_ reply: FileDiskReply) {
        switch reply {
        case .space(let batch, let space): receiver.took(batch, space: space, now: now)
        case .opened(let job, _), .read(let job, _), .wrote(let job, _), .finished(let job, _), .failed(let job, _):
            if job.isSenders { sender.took(reply, of: job, now: now) } else { receiver.took(reply, of: job, now: now) }
        }
    }
}

extension DiskJob {
    /// True for a job of the sender. The sender's jobs have odd numbers, the receiver's jobs even numbers.
    fileprivate var isSenders: Bool { rawValue % 2 == 1 }
}
