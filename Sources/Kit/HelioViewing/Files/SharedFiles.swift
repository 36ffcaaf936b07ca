package import HelioCore
internal import HelioFileFolder
internal import HelioLoop
internal import HelioOpenSSL
package import HelioSession
internal import HelioTransfer
internal import HelioTransferWire
internal import NIOCore
internal import NIOPosix
private import Synchronization

/// The files that go between this end and others, for one session after the other: what was cut off goes on with the
/// session of the same peer that comes next.
///
/// On a thread of its own, as SHA-256 of gigabytes takes its time, with another for the disk.
public final class SharedFiles: Sendable {
    /// What tells a peer over its sessions.
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

    private let options: FileOptions
    /// The folder for what comes.
    var folder: String { options.folder }
    private let readers: FileEventReaders
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: any EventLoop
    private let counts = Counts()
    private let brake = FileBrake(cores: System.coreCount)
    private let backlog = FileBacklog()
    private let desk: NIOLoopBoundBox<FileDesk?>

    /// Throws `systemFailed` where the folder for what comes is there and can't be written to.
    package init(_ options: FileOptions) throws(HelioError) {
        self.options = options
        let readers = FileEventReaders()
        self.readers = readers
        let loop = group.next()
        let desk = NIOLoopBoundBox.makeEmptyBox(valueType: FileDesk.self, eventLoop: loop)
        self.loop = loop
        self.desk = desk
        let worker: FileWorker
        let brake = brake
        do throws(HelioError) {
            worker = try FileWorker(
                folder: options.receiving == .refuse ? nil : options.folder, prepare: ThreadPriority.lower
            ) { brake.rest(after: $0, now: MonotonicClock.now) }
        } catch {
            Self.end(group)
            throw error
        }
        // What comes first is behind this.
        let counts = counts
        loop.execute {
            // Hashing takes all of a core that it gets.
            ThreadPriority.lower()
            desk.value = FileDesk(worker, on: loop) { event in
                if let all = desk.value?.statistics { counts.value.withLock { $0 = all } }
                readers.tell(event)
            }
        }
    }

    // MARK: Sessions

    /// A session has a channel for files. Any thread.
    ///
    /// - Parameters:
    ///   - session: the session's number, of this end's own.
    ///   - send: sends messages on it; called on this object's thread.
    package func open(
        _ session: UInt64, of peer: PeerKey, name: String, _ permission: FilePermission, send: @escaping Send
    ) {
        let permission = options.permission(for: permission)
        loop.execute { [desk] in desk.value?.open(session, of: peer, name: name, permission, send: send) }
    }

    /// What the peer of a session may has changed. Any thread.
    package func permit(_ session: UInt64, _ permission: FilePermission) {
        let permission = options.permission(for: permission)
        loop.execute { [desk] in desk.value?.peer(of: session)?.permit(permission) }
    }

    /// Takes what happens on a session's channel. Any thread.
    ///
    /// - Returns: false where more waits for this object's thread than the peer was ever given credit for. The message is
    ///   dropped, and the caller ends the session.
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

    /// Counts bytes of pictures that were coded here or have come: files wait for them. Any thread.
    package func count(pictures bytes: Int) { brake.count(pictures: bytes) }

    // MARK: The person

    /// What happens from now on, for one reader; ends with the sessions. A reader that lets thousands of events wait misses
    /// the oldest.
    public func events() -> AsyncStream<FileEvent> { readers.add() }

    /// Those that files can be sent to now.
    public func recipients() async -> [FileRecipient] {
        (try? await loop.submit { [desk] in desk.value?.recipients ?? [] }.get()) ?? []
    }

    /// Sends files and folders, to one peer or to all that are there.
    ///
    /// Throws `unreachable` where nobody is there, and `invalidArgument` where nothing of it can be sent.
    ///
    /// - Parameters:
    ///   - paths: what is sent; in a folder no links are followed.
    ///   - peer: the peer's number; `nil`: all.
    /// - Returns: a batch for each peer.
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

    /// Answers an offer: the batch is taken, or declined. Too late is no harm. Any thread.
    ///
    /// - Parameters:
    ///   - batch: what was offered.
    ///   - accepts: whether it is taken.
    public func answer(_ batch: FileBatch.ID, accepts: Bool) {
        loop.execute { [desk] in desk.value?.peer(numbered: batch.peer)?.answer(batch.batch, accepts: accepts) }
    }

    /// Stops a batch, either way. Any thread.
    ///
    /// - Parameter batch: what goes or comes.
    public func cancel(_ batch: FileBatch.ID) {
        loop.execute { [desk] in desk.value?.peer(numbered: batch.peer)?.cancel(batch.batch) }
    }

    /// Counts of what has gone and come, with all peers, as of the last event; never names.
    public var traffic: FileTrafficCounts { counts.value.withLock { FileTrafficCounts($0) } }
    /// Counts of what was thrown away, by name.
    package var drops: [String: Int] {
        var drops = counts.value.withLock { $0.drops.byName }
        if backlog.refused > 0 { drops["file-backlog-full"] = backlog.refused }
        return drops
    }

    /// Ends all that is on its way: what has come of files is kept for later.
    package func stop() {
        loop.execute { [desk] in
            desk.value?.stop()
            desk.value = nil
        }
        readers.finish()
        Self.end(group)
    }

    private static func end(_ group: MultiThreadedEventLoopGroup) {
        Task { try? await group.shutdownGracefully() }
    }
}
