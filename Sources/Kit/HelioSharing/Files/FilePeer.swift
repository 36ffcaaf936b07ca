internal import HelioCore
internal import HelioFileFolder
internal import HelioGround
internal import HelioLoop
internal import HelioOpenSSL
internal import HelioSession
internal import HelioTransfer
internal import HelioTransferWire
internal import NIOCore

/// A peer that exchanges files with this end. Its exchange outlives its sessions. Used on one event loop alone.
final class FilePeer {
    let number: Int
    private(set) var name: String
    private let settings = FileSettings()
    private let tell: (FileEvent) -> Void
    private var engine: EngineLoop<FileExchange>!
    private var port: FileWorker.Port!
    /// Sends messages through the current session; `nil` without one.
    private var send: (@Sendable ([[UInt8]]) -> Void)?
    /// The send credit of the session, in bytes.
    private var room = 0
    private var waiting: [[UInt8]] = []
    /// The known batches by direction. The peer chooses the identifiers of incoming batches, which may equal those of
    /// outgoing batches.
    private var batches: [FileDirection: [BatchID: FileBatch]] = [.sending: [:], .receiving: [:]]
    /// The time at which the last session ended; `nil` during a session, and before the first.
    private(set) var left: Instant?

    /// - Parameter tell: called with each event, on the loop.
    init(
        _ number: Int, of key: SharedFiles.PeerKey, name: String, worker: FileWorker, on loop: any EventLoop,
        tell: @escaping (FileEvent) -> Void
    ) {
        self.number = number
        self.name = name
        self.tell = tell
        let exchange = FileExchange(
            permission: .never, settings: settings, hash: SHA256Stream(), now: MonotonicClock.now)
        engine = EngineLoop(
            exchange, on: loop, perform: { [unowned self] in perform($0) }, settled: { [unowned self] in flush() })
        let bound = NIOLoopBound(Weak(self), eventLoop: loop)
        port = worker.open(for: Self.sender(key)) { reply in
            loop.execute { bound.value.peer?.engine.feed(.disk(reply)) }
        }
    }

    /// The identifier of this peer's partial files, a hash: it reveals nothing about the peer, and does not help to
    /// impersonate it.
    private static func sender(_ key: SharedFiles.PeerKey) -> PartSender {
        var hash = SHA256Stream()
        let bytes = Array("heliograph sender 1".utf8) + Array(key.token.text.utf8) + (key.device ?? [])
        hash.update(bytes.span.bytes)
        return PartSender(hash.digest())
    }

    private final class Weak {
        weak var peer: FilePeer?
        init(_ peer: FilePeer) { self.peer = peer }
    }

    var isConnected: Bool { send != nil }
    var isIdle: Bool { engine.read { $0.isIdle } }
    var statistics: FileStatistics { engine.read { $0.statistics } }

    func open(name: String, _ permission: FilePermission, send: @escaping @Sendable ([[UInt8]]) -> Void) {
        self.name = name
        self.send = send
        left = nil
        room = 0
        waiting = []
        engine.feed(.permission(permission))
        engine.feed(.opened)
    }

    func close() {
        send = nil
        waiting = []
        left = MonotonicClock.now
        engine.feed(.closed)
    }

    func permit(_ permission: FilePermission) { engine.feed(.permission(permission)) }

    func take(_ traffic: FileTraffic) {
        switch traffic {
        case .opened: break
        case .received(let message): engine.feed(.received(message))
        case .granted(let bytes):
            room += bytes
            engine.feed(.room(room))
        case .closed: close()
        }
    }

    func send(_ paths: [String], as batch: BatchID, _ listed: @escaping @Sendable (SourceListing) -> Void) {
        port.list(batch, paths, limit: settings.mostFiles, listed)
    }

    /// Starts to send the listed files and folders as a batch; there has to be at least one.
    func send(_ entries: [FileEntry], as batch: BatchID) {
        // The name is cleaned in the same way as at the receiver, so that both ends show the same name.
        let name = SafeName(cleaning: entries[0].path[0]).text
        batches[.sending]?[batch] = FileBatch(
            id: .init(peer: number, batch: batch), peer: self.name, isIncoming: false, name: name,
            count: entries.count, bytes: entries.reduce(0) { $0 + $1.size })
        engine.feed(.send(batch, entries))
    }

    func answer(_ batch: BatchID, accepts: Bool) { engine.feed(.answer(batch, accepts: accepts)) }

    func cancel(_ batch: BatchID) { engine.feed(.cancel(batch)) }

    /// Stops the exchange; partial files are kept.
    func stop() {
        engine.stop()
        port.close()
    }

    private func flush() {
        guard !waiting.isEmpty else { return }
        send?(waiting)
        waiting = []
    }

    private func perform(_ output: FileExchange.Output) {
        switch output {
        case .send(let message):
            room -= message.count
            waiting.append(message)
        case .disk(let command): port.perform(command)
        case .ask(let question): tell(.offered(add(question)))
        case .taken(let question): tell(.progress(add(question)))
        case .unask(let id): if let batch = batches[.receiving]?[id] { tell(.lapsed(batch)) }
        case .progress(let progress):
            var batch = self.batch(progress.batch, progress.direction)
            batch.count = progress.count
            batch.bytes = progress.totalBytes
            batch.bytesDone = progress.bytes
            batch.index = progress.index
            batch.rate = progress.rate
            batch.timeLeft = progress.timeLeft
            batch.isInterrupted = progress.isInterrupted
            batches[progress.direction]?[progress.batch] = batch
            tell(.progress(batch))
        case .file(let outcome):
            let batch = self.batch(outcome.batch, outcome.direction)
            tell(.file(batch, name: outcome.name, failure: outcome.failure?.words(isPeers: false)))
        case .over(let outcome):
            let batch = self.batch(outcome.batch, outcome.direction)
            batches[outcome.direction]?[outcome.batch] = nil
            tell(
                .ended(
                    batch, arrived: outcome.arrived, failed: outcome.failed,
                    failure: outcome.reason?.words(isPeers: outcome.isPeers)))
        }
    }

    private func add(_ question: FileQuestion) -> FileBatch {
        let batch = FileBatch(
            id: .init(peer: number, batch: question.batch), peer: name, isIncoming: true, name: question.name.text,
            count: question.count, bytes: question.bytes)
        batches[.receiving]?[question.batch] = batch
        return batch
    }

    /// Returns the known batch, or a placeholder for a batch that ended before it was offered.
    private func batch(_ id: BatchID, _ direction: FileDirection) -> FileBatch {
        batches[direction]?[id]
            ?? FileBatch(
                id: .init(peer: number, batch: id), peer: name, isIncoming: direction == .receiving, name: "files",
                count: 0, bytes: 0)
    }
}
