package import HelioCore
internal import HelioFileFolder
internal import HelioGround
internal import HelioOpenSSL
package import HelioSession
internal import HelioTransfer
internal import HelioTransferWire
internal import NIOCore
internal import NIOPosix
private import Synchronization

/// The exchange of files between this end and its peers, across sessions: an interrupted transfer is resumed in the
/// next session with the same peer.
///
/// Messages and hashes are processed on a thread of its own, because SHA-256 of gigabytes takes time. Another thread
/// accesses the disk.
public final class SharedFiles: DropCounting, Sendable {
    /// The key that identifies a peer across its sessions.
    package struct PeerKey: Hashable, Sendable {
        package var token: FileToken
        package var device: [UInt8]?
        package init(token: FileToken, device: [UInt8]? = nil) {
            self.token = token
            self.device = device
        }
    }

    private final class Counts: Sendable { let value = Mutex(FileStatistics()) }

    package typealias Send = @Sendable ([[UInt8]]) -> Void

    /// The longest wait for the disk's thread at the end.
    private static let patience = Duration.seconds(1)

    private let options: FileOptions
    /// The folder for received files.
    package var folder: String { options.folder }
    private let readers: FileEventReaders
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let counts = Counts()
    private let brake = FileBrake(cores: System.coreCount)
    private let backlog = FileBacklog()
    private let desk: NIOLoopBoundBox<FileDesk?>
    private let worker: FileWorker

    /// Throws `systemFailed` if the folder for received files exists and is not writable.
    package init(_ options: FileOptions) throws(HelioError) {
        self.options = options
        let readers = FileEventReaders()
        self.readers = readers
        let loop = group.next()
        let desk = NIOLoopBoundBox.makeEmptyBox(valueType: FileDesk.self, eventLoop: loop)
        self.loop = loop
        self.desk = desk
        let brake = brake
        do throws(HelioError) {
            worker = try FileWorker(
                folder: options.receiving == .refuse ? nil : options.folder, prepare: ThreadPriority.lower
            ) { brake.rest(after: $0, now: MonotonicClock.now) }
        } catch {
            Task { [group] in try? await group.shutdownGracefully() }
            throw error
        }
        // All other work is queued behind this closure, which sets up the desk.
        let counts = counts
        loop.execute { [worker] in
            // Hashing uses a whole core, so it runs at low priority.
            ThreadPriority.lower()
            desk.value = FileDesk(worker, on: loop) { event in
                if let all = desk.value?.statistics { counts.value.withLock { $0 = all } }
                readers.tell(event)
            }
        }
    }

    // MARK: Sessions

    /// Opens a session's channel for files. Called on any thread.
    ///
    /// - Parameters:
    ///   - session: the session's number, chosen by this end.
    ///   - send: sends messages through the session; called on this object's thread.
    package func open(
        _ session: UInt64, of peer: PeerKey, name: String, _ permission: FilePermission, send: @escaping Send
    ) {
        let permission = options.permission(for: permission)
        loop.execute { [desk] in desk.value?.open(session, of: peer, name: name, permission, send: send) }
    }

    /// Changes the permission of a session's peer. Called on any thread.
    package func permit(_ session: UInt64, _ permission: FilePermission) {
        let permission = options.permission(for: permission)
        loop.execute { [desk] in desk.value?.peer(of: session)?.permit(permission) }
    }

    /// Handles traffic of a session's channel. Called on any thread.
    ///
    /// - Returns: false if the session's queue is full, which only a peer that exceeds its credit can cause. The
    ///   message is then dropped, and the caller has to end the session.
    package func take(_ traffic: FileTraffic, of session: UInt64) -> Bool {
        guard case .received(let message) = traffic else {
            loop.execute { [desk] in desk.value?.take(traffic, of: session) }
            return true
        }
        guard backlog.put(message.count, of: session) else { return false }
        loop.execute { [desk, backlog] in
            backlog.taken(message.count, of: session)
            desk.value?.take(traffic, of: session)
        }
        return true
    }

    /// Counts bytes of pictures that were encoded or received here, because file work slows down while pictures arrive.
    /// Called on any thread.
    package func count(pictures bytes: Int) { brake.count(pictures: bytes) }

    // MARK: Requests of the user

    /// Returns the events from now on, for one reader; the stream ends with this object. A reader that is more than
    /// 4096 events late loses the oldest ones.
    public func events() -> AsyncStream<FileEvent> { readers.add() }

    /// Returns the peers that files can be sent to now.
    public func recipients() async -> [FileRecipient] {
        (try? await loop.submit { [desk] in desk.value?.recipients ?? [] }.get()) ?? []
    }

    /// Sends files and folders, to one peer or to all connected ones.
    ///
    /// Throws `unreachable` if nobody is connected, and `invalidArgument` if none of the paths can be sent.
    ///
    /// - Parameters:
    ///   - paths: the files and folders; symbolic links in folders are not followed.
    ///   - peer: the peer's number; `nil` for all.
    /// - Returns: the batches, one for each peer.
    public func send(_ paths: [String], to peer: Int? = nil) async throws(HelioError) -> [FileBatch.ID] {
        let listed = AsyncStream.makeStream(of: FileBatch.ID?.self)
        let count = try? await loop.submit { [desk] in
            desk.value?.send(paths, to: peer) { listed.continuation.yield($0) } ?? 0
        }.get()
        guard let count, count > 0 else {
            throw HelioError(.unreachable, "Nobody is connected that files could be sent to.")
        }
        var batches: [FileBatch.ID?] = []
        for await batch in listed.stream {
            batches.append(batch)
            if batches.count == count { break }
        }
        let sent = batches.compactMap(\.self)
        guard !sent.isEmpty else {
            throw HelioError(.invalidArgument, "Nothing of that can be sent: give files or folders that can be read.")
        }
        return sent
    }

    /// Accepts or declines an offered batch. An answer that comes too late is ignored. Called on any thread.
    ///
    /// - Parameters:
    ///   - batch: the batch that was offered.
    ///   - accepts: true to accept it.
    public func answer(_ batch: FileBatch.ID, accepts: Bool) {
        loop.execute { [desk] in desk.value?.peer(numbered: batch.peer)?.answer(batch.batch, accepts: accepts) }
    }

    /// Cancels a batch in either direction. Called on any thread.
    ///
    /// - Parameter batch: the batch to cancel.
    public func cancel(_ batch: FileBatch.ID) {
        loop.execute { [desk] in desk.value?.peer(numbered: batch.peer)?.cancel(batch.batch) }
    }

    /// The traffic with all peers, as of the last event.
    public var traffic: FileTrafficCounts { counts.value.withLock { FileTrafficCounts($0) } }
    /// The number of dropped items by reason.
    package var allDrops: [String: Int] {
        .sum(counts.value.withLock { $0.drops }, ["file-backlog-full": backlog.refused])
    }

    /// Stops all transfers; partial files are kept, to be resumed later. Returns when this object's threads, which have
    /// a low priority, are gone, but at most after a second or so.
    package func stop() async {
        stopTransfers()
        try? await group.shutdownGracefully()
        await worker.end(within: Self.patience)
    }

    /// Stops all transfers as `stop` does, but blocks the caller.
    package func stopAndWait() {
        stopTransfers()
        try? group.syncShutdownGracefully()
        worker.endAndWait(within: Self.patience)
    }

    private func stopTransfers() {
        loop.execute { [desk] in
            desk.value?.stop()
            desk.value = nil
        }
        readers.finish()
    }
}
