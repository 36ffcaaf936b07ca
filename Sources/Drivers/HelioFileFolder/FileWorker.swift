internal import DequeModule
package import HelioCore
private import HelioLocalSocket
package import HelioTransfer
package import HelioTransferWire
private import Synchronization

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The thread that reads files to be sent and writes those that come: a slow disk holds up nobody else.
///
/// What an exchange asks for has a bound of its own, so what waits here has one, too.
package final class FileWorker: Sendable {
    private enum Item: Sendable {
        case open(Int, PartSender, @Sendable (FileDiskReply) -> Void)
        case perform(Int, FileDiskCommand)
        case list(Int, BatchID, [String], limit: Int, @Sendable (SourceListing) -> Void)
        case close(Int)
    }

    /// One exchange's end of the worker.
    package struct Port: Sendable {
        fileprivate let number: Int
        fileprivate let worker: FileWorker

        /// Carries out a command; the answer comes on the worker's thread.
        package func perform(_ command: FileDiskCommand) { worker.put(.perform(number, command)) }

        /// Looks through what a person has chosen, for a batch that is to be sent. The answer comes on the worker's thread;
        /// its entries are what the exchange is to send, in this order.
        package func list(
            _ batch: BatchID, _ paths: [String], limit: Int, _ done: @escaping @Sendable (SourceListing) -> Void
        ) {
            worker.put(.list(number, batch, paths, limit: limit, done))
        }

        /// The exchange is no more: what has come of files is kept for later.
        package func close() { worker.put(.close(number)) }
    }

    private struct State {
        var items = Deque<Item>()
        var nextPort = 0
    }

    private let state = Mutex(State())
    private let wake: WakePipe

    /// Starts the thread. Throws `systemFailed` where the folder can't be made or written to.
    ///
    /// - Parameters:
    ///   - path: the folder for received files, which is made once one is offered; `nil`: none are.
    ///   - prepare: called on the thread before its first work, to set its priority.
    ///   - rest: called on the thread with the bytes that it has read or written; it rests for so long then.
    package init(
        folder path: String?, prepare: @escaping @Sendable () -> Void = {},
        rest: @escaping @Sendable (Int) -> Duration = { _ in .zero }
    ) throws(HelioError) {
        wake = try WakePipe()
        // Looked at here, so that what is wrong with it is said at once.
        if let path { try ReceivingFolder.check(path) }
        let (wake, weak) = (wake, Weak(self))
        try SocketThread.start {
            prepare()
            Self.run(path, wake, rest) { weak.worker?.takeAll() }
        }
    }

    deinit { wake.signal() }

    /// - Parameter sender: who sends what comes.
    package func open(for sender: PartSender, _ reply: @escaping @Sendable (FileDiskReply) -> Void) -> Port {
        let number = state.withLock { state in
            state.nextPort += 1
            return state.nextPort
        }
        put(.open(number, sender, reply))
        return Port(number: number, worker: self)
    }

    private func put(_ item: Item) {
        state.withLock { $0.items.append(item) }
        wake.signal()
    }

    private func takeAll() -> Deque<Item> {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }

    // MARK: The thread

    /// What the thread has of its worker: it ends when nobody else has it.
    private final class Weak: Sendable {
        private let held: Mutex<WeakReference>
        private struct WeakReference { weak var worker: FileWorker? }
        init(_ worker: FileWorker) { held = Mutex(WeakReference(worker: worker)) }
        var worker: FileWorker? { held.withLock { $0.worker } }
    }

    /// Rests for a while, of a second at most.
    private static func pause(_ time: Duration) {
        if time > .zero { usleep(UInt32(min(time, .seconds(1)) / .microseconds(1))) }
    }

    private static func run(
        _ path: String?, _ wake: WakePipe, _ rest: (Int) -> Duration, _ take: () -> Deque<Item>?
    ) {
        // A file that reaches the most bytes that this user's may have is an error, and not the program's end.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        // One for all, made with the first file.
        lazy var folder = path.flatMap { try? ReceivingFolder($0) }
        var disks: [Int: (disk: FileDisk, reply: @Sendable (FileDiskReply) -> Void)] = [:]
        while let items = take() {
            for item in items {
                switch item {
                case .open(let port, let sender, let reply): disks[port] = (FileDisk(folder, of: sender), reply)
                case .perform(let port, let command):
                    guard let (disk, reply) = disks[port], let answer = disk.perform(command) else { continue }
                    reply(answer)
                    if let bytes = answer.bytes { pause(rest(bytes)) }
                case .list(let port, let batch, let paths, let limit, let done):
                    let listing = SourceListing(paths, limit: limit)
                    disks[port]?.disk.take(listing, as: batch)
                    done(listing)
                case .close(let port): disks[port] = nil
                }
            }
            if items.isEmpty, wake.wait(within: .seconds(60)) { wake.drain() }
        }
    }
}

extension FileDiskReply {
    /// The bytes that were read or written; `nil`: there were none to be.
    fileprivate var bytes: Int? {
        switch self {
        case .read(_, let bytes): bytes.count
        case .wrote(_, let count): count
        default: nil
        }
    }
}
