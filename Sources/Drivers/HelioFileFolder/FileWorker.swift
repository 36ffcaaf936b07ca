internal import DequeModule
package import HelioCore
private import HelioGround
package import HelioTransfer
package import HelioTransferWire

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A thread that reads the files to send and writes received files, so that a slow disk blocks no other work.
///
/// The queue is bounded, because each exchange bounds its outstanding commands.
package final class FileWorker: Sendable {
    private enum Item: Sendable {
        case open(Int, PartSender, @Sendable (FileDiskReply) -> Void)
        case perform(Int, FileDiskCommand)
        case list(Int, BatchID, [String], limit: Int, @Sendable (SourceListing) -> Void)
        case close(Int)
    }

    /// The handle by which one exchange uses the worker.
    package struct Port: Sendable {
        fileprivate let number: Int
        fileprivate let worker: FileWorker

        /// Queues a command; the reply is delivered on the worker's thread.
        package func perform(_ command: FileDiskCommand) { worker.put(.perform(number, command)) }

        /// Lists the files and folders that the user has chosen, for a batch to be sent. `done` is called on the
        /// worker's thread; the exchange has to send the listing's entries in order.
        package func list(
            _ batch: BatchID, _ paths: [String], limit: Int, _ done: @escaping @Sendable (SourceListing) -> Void
        ) {
            worker.put(.list(number, batch, paths, limit: limit, done))
        }

        /// Closes the exchange's port; partly received files are kept, to be resumed later.
        package func close() { worker.put(.close(number)) }
    }

    private struct State: Sendable {
        var items = Deque<Item>()
        var nextPort = 0
        /// True once the worker has been released.
        var isOver = false
    }

    private let state: ThreadMailbox<State>
    private let thread: WorkerThread

    /// Starts the thread. Throws `systemFailed` if the folder can't be made or written to.
    ///
    /// - Parameters:
    ///   - path: the folder for received files, made when the first file is offered; `nil` if no files are received.
    ///   - prepare: called on the thread before its first work, to set its priority.
    ///   - rest: called on the thread with the number of bytes read or written; returns the time for which the thread
    ///     then pauses.
    package init(
        folder path: String?, prepare: @escaping @Sendable () -> Void = {},
        rest: @escaping @Sendable (Int) -> Duration = { _ in .zero }
    ) throws(HelioError) {
        // The folder is checked before the thread starts, so that `init` can throw.
        if let path { try ReceivingFolder.check(path) }
        let state = ThreadMailbox(State())
        self.state = state
        // The thread has no reference to the worker, so that it ends once all owners have released the worker.
        thread = try WorkerThread.start(name: "helio-files", stack: WorkerThread.smallStack) {
            prepare()
            Self.run(path, state, rest)
        }
    }

    deinit { state.put { $0.isOver = true } }

    /// Ends the thread, and waits until it is gone, but at most for `limit`: a disk may be slow.
    package func end(within limit: Duration) async {
        state.put { $0.isOver = true }
        // The wait for a thread blocks, so it takes place on another one. If the system has none left, nobody waits.
        let waiting = try? WorkerThread.start(name: "helio-files-end", stack: WorkerThread.smallStack) { [thread] in
            thread.vanish(within: limit)
        }
        await waiting?.join()
    }

    /// Ends the thread as `end` does, but blocks the caller.
    package func endAndWait(within limit: Duration) {
        state.put { $0.isOver = true }
        thread.vanish(within: limit)
    }

    /// Opens a port for an exchange with `sender`; `reply` is called on the worker's thread.
    package func open(for sender: PartSender, _ reply: @escaping @Sendable (FileDiskReply) -> Void) -> Port {
        let number = state.withLock { state in
            state.nextPort += 1
            return state.nextPort
        }
        put(.open(number, sender, reply))
        return Port(number: number, worker: self)
    }

    private func put(_ item: Item) { state.put { $0.items.append(item) } }

    // MARK: The thread

    /// Waits for items and takes all of them; `nil` at the end.
    private static func takeAll(_ state: ThreadMailbox<State>) -> Deque<Item>? {
        state.take { state -> Deque<Item>?? in
            if state.isOver { return .some(nil) }
            if state.items.isEmpty { return nil }
            defer { state.items = [] }
            return state.items
        }
    }

    /// Pauses the thread for `time`, but at most 1 s.
    private static func pause(_ time: Duration) {
        if time > .zero { usleep(UInt32(min(time, .seconds(1)) / .microseconds(1))) }
    }

    private static func run(_ path: String?, _ state: ThreadMailbox<State>, _ rest: (Int) -> Duration) {
        // Blocking SIGXFSZ makes a write beyond the user's file size limit fail with an error instead of ending the
        // program.
        ThreadSignals.blockFileSize()
        // All ports share one folder, which is opened with the first file.
        lazy var folder = path.flatMap { try? ReceivingFolder($0) }
        var disks: [Int: (disk: FileDisk, reply: @Sendable (FileDiskReply) -> Void)] = [:]
        while let items = takeAll(state) {
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
        }
    }
}

extension FileDiskReply {
    /// The number of bytes read or written; `nil` for other replies.
    fileprivate var bytes: Int? {
        switch self {
        case .read(_, let bytes): bytes.count
        case .wrote(_, let count): count
        default: nil
        }
    }
}
