import HelioCore
import HelioProtection
import HelioTransfer
import HelioTransferWire

/// Fuzzes one end of a file exchange with a peer that sends arbitrary messages, a channel that breaks and a disk that
/// fails.
///
/// A step has a byte that selects the action, and a byte with an amount or with the length of the message that follows.
package enum FileFuzz {
    /// Runs the exchange with any bytes. Traps if it exceeds its memory limit, if an incomplete file gets its final
    /// name, if more is sent than the channel accepts, or if memory is never released or a file never closed.
    package static func run(_ bytes: [UInt8]) {
        var world = World()
        var steps = FuzzSteps(bytes)
        while let (what, argument) = steps.next() {
            switch what % 16 {
            case 0: world.offer(argument)
            case 1: world.entry(argument)
            case 2: world.data(argument)
            case 3: world.end(argument)
            case 4: world.take(.begin(World.theirs, offset: UInt64(argument / 16) * 1000))
            case 5: world.give(argument)
            case 6: world.person(argument)
            case 7: world.handle(argument % 2 == 0 ? .closed : .opened)
            case 8: world.pass(.milliseconds(argument * argument * 20))
            case 9: world.handle(.room(argument * 300))
            case 10: world.send(argument)
            case 11: world.take(.accept(World.ours, next: UInt32(argument % 4), failed: 0))
            case 12: world.credit(argument)
            case 13: world.want(argument)
            case 14: world.disk(argument)
            default: world.handle(.received(steps.takeBytes(argument)))
            }
        }
        world.finish()
    }

    private struct World: ~Copyable {
        static let theirs = BatchID(1)
        static let ours = BatchID(2)
        private static let window = 4096
        private static let large = Int(FileMessage.resumableSize)

        private struct Job {
            var size: UInt64
            var position: UInt64
            var isReceived: Bool
        }

        private var exchange: FileExchange
        private var now = Instant.zero
        private var room = 0
        private var jobs: [DiskJob: Job] = [:]
        private var waiting: [FileDiskReply] = []
        private var isSlow = false
        private var failure: FileRefusal?
        private var questions: Set<BatchID> = []
        private var batches: [BatchID: Int] = [:]
        private var hash: any IncrementalHash = ToySumHash()
        private var nextIndex: UInt32 = 0
        /// The sizes of the entries that were last sent, by index.
        private var sizes: [Int: UInt64] = [:]

        init() {
            var settings = FileSettings()
            settings.window = Self.window
            settings.queue = 8192
            settings.answers = 8
            settings.batches = 2
            settings.mostFiles = 3
            exchange = FileExchange(permission: .ask, settings: settings, hash: ToySumHash(), now: .zero)
            handle(.opened)
            handle(.room(4000))
        }

        mutating func take(_ message: FileMessage) { handle(.received(message.serialised())) }

        mutating func handle(_ input: FileExchange.Input) {
            switch input {
            case .room(let bytes): room = min(max(0, bytes), 8192)
            case .opened, .closed: (room, nextIndex) = (0, 0)
            default: break
            }
            exchange.handle(input, now: now)
            drain()
        }

        // MARK: The peer as a sender

        mutating func offer(_ argument: Int) {
            let offer = FileOffer(
                argument & 128 == 0 ? Self.theirs : BatchID(UInt64(argument)), count: UInt32(argument % 4 + 1),
                bytes: UInt64(argument) * 10_000, name: "x")
            take(.offer(offer))
        }

        mutating func entry(_ argument: Int) {
            let size = argument & 64 != 0 ? UInt64(Self.large + argument) : UInt64(argument % 64) * 20
            let isFolder = argument == 0
            hash = ToySumHash()
            take(
                .entry(
                    Self.theirs, index: argument & 128 == 0 ? nextIndex : UInt32(argument % 3),
                    FileEntry(path: ["d", "f\(argument % 5)"], isFolder: isFolder, size: isFolder ? 0 : size)))
            nextIndex += 1
        }

        mutating func data(_ argument: Int) {
            let bytes = [UInt8](repeating: UInt8(argument), count: max(1, argument % 128 * 20 + argument / 128))
            hash.update(bytes.span.bytes)
            take(.data(Self.theirs, bytes))
        }

        mutating func end(_ argument: Int) {
            var digest = hash.digest()
            if argument > 200 { digest[0] ^= 1 }
            take(.end(Self.theirs, FileDigest(digest)))
        }

        mutating func give(_ argument: Int) {
            guard let reason = FileRefusal(rawValue: UInt8(argument % 16)) else { return }
            switch argument / 64 {
            case 0: take(.skip(Self.theirs, index: UInt32(argument / 16), reason))
            case 1: take(.withdraw(Self.theirs, reason))
            case 2: take(.refuse(Self.ours, reason))
            default: take(.verdict(Self.ours, index: UInt32(argument / 16 - 12), reason))
            }
        }

        // MARK: The peer as a receiver

        mutating func credit(_ argument: Int) {
            if argument & 128 == 0 {
                take(.credit(Self.ours, total: UInt64(argument) * 500))
            } else {
                take(.verdict(Self.ours, index: UInt32(argument % 4), nil))
            }
        }

        mutating func want(_ argument: Int) {
            let offset = UInt64(argument / 4) * 1000
            var prefix = ToySumHash()
            prefix.update([UInt8](repeating: 1, count: Int(offset)).span.bytes)
            take(
                .want(
                    Self.ours, index: UInt32(argument % 4), offset: offset,
                    offset == 0 ? nil : FileDigest(prefix.digest())))
        }

        // MARK: The person and the disk

        mutating func person(_ argument: Int) {
            switch argument % 8 {
            case 0: handle(.cancel(Self.theirs))
            case 1: handle(.cancel(Self.ours))
            case 2: handle(.permission(.never))
            case 3: handle(.permission(.ask))
            case 4: handle(.permission(.always))
            default:
                guard let batch = questions.min(by: { $0.rawValue < $1.rawValue }) else { return }
                questions.remove(batch)
                handle(.answer(batch, accepts: argument < 200))
            }
        }

        mutating func send(_ argument: Int) {
            let batch = argument & 128 == 0 ? Self.ours : BatchID(UInt64(argument))
            batches[batch, default: 0] += 1
            let entries = (0...argument % 3).map { index in
                FileEntry(
                    path: ["f\(index)"], isFolder: argument & 64 != 0 && index == 1,
                    size: argument & 64 != 0 && index == 1
                        ? 0 : argument & 32 != 0 ? UInt64(Self.large + argument) : UInt64(argument))
            }
            for (index, entry) in entries.enumerated() { sizes[index] = entry.size }
            handle(.send(batch, entries))
        }

        mutating func disk(_ argument: Int) {
            switch argument % 4 {
            case 0: isSlow = true
            case 1: isSlow = false
            case 2: failure = FileRefusal(rawValue: UInt8(argument / 16))
            default: break
            }
            guard !isSlow || argument % 4 == 3, !waiting.isEmpty else { return }
            let replies = isSlow ? [waiting.removeFirst()] : waiting
            if !isSlow { waiting = [] }
            for reply in replies { handle(.disk(reply)) }
        }

        private mutating func perform(_ command: FileDiskCommand) {
            var reply: FileDiskReply?
            switch command {
            case .openSource(let job, _, let index):
                jobs[job] = Job(size: .max, position: 0, isReceived: false)
                reply = .opened(job, bytes: sizes[index] ?? 0)
            case .read(let job, let offset, let count):
                guard let open = jobs[job] else { return }
                precondition(count > 0 && count <= 64 * 1024, "a read of nothing, or of too much")
                precondition(!open.isReceived || offset + UInt64(count) <= open.size, "a read of what is not there")
                reply = .read(job, [UInt8](repeating: 1, count: count))
            case .measure(let batch): reply = .space(batch, failure == .noSpace ? 0 : .max / 2)
            case .create(let job, _, let path, let size, _):
                precondition(path.allSatisfy { $0.text != ".." && !$0.text.contains("/") }, "a path leads elsewhere")
                // A large file already has a partial file of 3000 bytes.
                jobs[job] = Job(size: size, position: .max, isReceived: true)
                reply = .opened(job, bytes: size >= FileMessage.resumableSize ? 3000 : 0)
            case .makeFolder(let job, _, _): reply = .finished(job, name: "d")
            case .write(let job, let offset, let bytes):
                guard var open = jobs[job] else { return }
                precondition(
                    offset == 0 || offset == open.position || open.position == .max && offset == 3000,
                    "what is written does not follow what was")
                open.position = offset + UInt64(bytes.count)
                precondition(open.position <= open.size, "more is written than the file has")
                jobs[job] = open
                reply = .wrote(job, count: bytes.count)
            case .finish(let job):
                guard let open = jobs.removeValue(forKey: job) else { return }
                precondition(open.position == open.size || open.size == 0, "a file is named that is not whole")
                reply = .finished(job, name: "f")
            case .close(let job), .discard(let job), .keep(let job): jobs[job] = nil
            case .promise, .forget: break
            }
            guard var reply else { return }
            if let failure, failure != .noSpace || !isMeasure(command), let job = command.opens {
                reply = .failed(job, failure)
                self.failure = nil
            }
            if isSlow { waiting.append(reply) } else { exchange.handle(.disk(reply), now: now) }
        }

        private func isMeasure(_ command: FileDiskCommand) -> Bool {
            if case .measure = command { true } else { false }
        }

        mutating func pass(_ time: Duration) {
            let end = now + time
            var count = 0
            while let due = exchange.deadline, due.at <= end {
                count = due.at > now ? 0 : count + 1
                precondition(count < 1000, "time does not go on")
                now = max(now, due.at)
                exchange.tick(now: now)
                drain()
            }
            now = end
        }

        mutating func finish() {
            handle(.closed)
            // Wait more than an hour for each batch that may be waiting.
            for _ in 0..<4 { pass(.seconds(4000)) }
            precondition(exchange.deadline == nil && exchange.bufferedBytes == 0, "something is kept for ever")
            precondition(jobs.isEmpty, "a file is left open")
            precondition(questions.isEmpty, "a person is asked for ever")
            precondition(batches.isEmpty, "a batch has no end")
        }

        private mutating func drain() {
            while let output = exchange.poll() {
                switch output {
                case .send(let bytes):
                    precondition(bytes.count <= room, "more is sent than the channel takes")
                    room -= bytes.count
                    precondition((try? FileMessage(parsing: bytes.span.bytes)) != nil, "what is sent is no message")
                case .disk(let command): perform(command)
                case .ask(let question):
                    precondition(questions.insert(question.batch).inserted, "a question is asked twice")
                case .unask(let batch): questions.remove(batch)
                case .progress(let progress):
                    precondition(progress.bytes <= progress.totalBytes, "more than all is done")
                case .file, .taken: break
                case .over(let outcome):
                    guard outcome.direction == .sending else { continue }
                    guard let count = batches[outcome.batch] else { preconditionFailure("a batch ends twice") }
                    batches[outcome.batch] = count > 1 ? count - 1 : nil
                }
                precondition(exchange.bufferedBytes <= Self.window + 128 * 1024, "more is kept than may be")
            }
        }
    }
}

extension FileDiskCommand {
    /// The job of a command that has a reply, which may be a failure; `nil` for other commands.
    fileprivate var opens: DiskJob? {
        switch self {
        case .openSource(let job, _, _), .read(let job, _, _), .create(let job, _, _, _, _), .makeFolder(let job, _, _),
            .write(let job, _, _), .finish(let job):
            job
        case .measure, .promise, .close, .discard, .keep, .forget: nil
        }
    }
}

/// A checksum (FNV-1a) in place of a cryptographic hash, for speed.
private struct ToySumHash: IncrementalHash {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func update(_ bytes: RawSpan) {
        for offset in 0..<bytes.byteCount {
            state = (state ^ UInt64(bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))) &* 0x0000_0100_0000_01B3
        }
    }

    func digest() -> [UInt8] { (0..<32).map { UInt8(truncatingIfNeeded: state >> UInt64($0 % 8 * 8)) } }
}
