import HelioCore
import HelioTransfer
import HelioTransferWire

/// One end: a disk, its exchange, and the channel to the other end.
final class FileEnd: TransferEnd {
    var exchange: FileExchange
    let disk = FakeDisk()
    var channel: FakeChannel
    /// The user's immediate answer; `nil` for none.
    var consent: Bool? = true
    private(set) var questions: [FileQuestion] = []
    private(set) var openQuestions: Set<BatchID> = []
    /// The offers accepted without a question.
    private(set) var taken: [FileQuestion] = []
    private(set) var files: [FileOutcome] = []
    private(set) var ends: [BatchOutcome] = []
    private(set) var progress: [FileProgress] = []
    private(set) var mostBuffered = 0

    init(_ permission: FilePermission, _ settings: FileSettings, _ channel: FakeChannel, now: Instant = .zero) {
        exchange = FileExchange(permission: permission, settings: settings, hash: SampledHash(), now: now)
        self.channel = channel
    }

    /// Sends files by name, with their content; a folder has `nil`.
    func send(_ batch: BatchID, _ contents: [(String, FakeContent?)], now: Instant) {
        var sources: [Int: FakeContent] = [:]
        let entries = contents.enumerated().map { index, one in
            sources[index] = one.1
            return FileEntry(
                path: one.0.split(separator: "/").map(String.init), isFolder: one.1 == nil, size: one.1?.size ?? 0,
                modified: 1000)
        }
        disk.sources[batch] = sources
        exchange.handle(.send(batch, entries), now: now)
    }

    func end(of batch: BatchID) -> BatchOutcome? { ends.last { $0.batch == batch } }

    var deadline: Deadline? { exchange.deadline }

    func tick(now: Instant) { exchange.tick(now: now) }

    func receive(_ bytes: [UInt8], now: Instant) { exchange.handle(.received(bytes), now: now) }

    /// Executes the exchange's outputs.
    func drain(now: Instant) {
        exchange.handle(.room(channel.room), now: now)
        while let output = exchange.poll() {
            switch output {
            case .send(let bytes): channel.send(bytes, now: now)
            case .disk(let command):
                if let reply = disk.perform(command) { exchange.handle(.disk(reply), now: now) }
            case .ask(let question):
                questions.append(question)
                openQuestions.insert(question.batch)
                if let consent { answer(question.batch, consent, now: now) }
            case .unask(let batch): openQuestions.remove(batch)
            case .taken(let question): taken.append(question)
            case .progress(let one): progress.append(one)
            case .file(let outcome): files.append(outcome)
            case .over(let outcome): ends.append(outcome)
            }
            if case .send = output { continue }
            mostBuffered = max(mostBuffered, exchange.bufferedBytes)
        }
    }

    func answer(_ batch: BatchID, _ accepts: Bool, now: Instant) {
        openQuestions.remove(batch)
        exchange.handle(.answer(batch, accepts: accepts), now: now)
    }
}
