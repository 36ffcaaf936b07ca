internal import HelioGround
internal import HelioServing
internal import HelioSharing
private import NIOCore
internal import NIOPosix
private import Synchronization

/// A part of a source that owns threads, sockets or files while it runs.
protocol RunningPart: Sendable {
    /// Ends the part, and frees its threads, sockets and files.
    func stop() async
}

/// The running parts of a source, in the order in which they started. When sharing ends, or when a later part can't
/// start, they are stopped in the reverse order, so that no part is used after its end.
final class RunningParts: Sendable {
    private let parts = Mutex<[any RunningPart]>([])
    /// The task that stops all parts; set by the first call of `stop`.
    private let ending = Mutex<Task<Void, Never>?>(nil)

    /// Adds a part that has started.
    @discardableResult
    func add<Part: RunningPart>(_ part: Part) -> Part {
        parts.withLock { $0.append(part) }
        return part
    }

    /// Adds a part that has started; does nothing for `nil`, an optional part that the options don't ask for.
    @discardableResult
    func add<Part: RunningPart>(_ part: Part?) -> Part? {
        if let part { parts.withLock { $0.append(part) } }
        return part
    }

    /// Stops all parts, the last started part first. Further calls wait for the same end.
    func stop() async {
        let end = ending.withLock { ending in
            let task = ending ?? Task { await stopAll() }
            ending = task
            return task
        }
        await end.value
    }

    private func stopAll() async {
        while let part = parts.withLock({ $0.popLast() }) { await part.stop() }
    }
}

/// The event loop of a source's sockets, on a thread of its own.
struct SocketLoop: RunningPart {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    func stop() async { try? await group.shutdownGracefully() }
}

/// The thread that captures and encodes a screen.
struct MediaThread: RunningPart {
    let controls: SourceControls
    let thread: WorkerThread

    func stop() async {
        controls.stop()
        await thread.join()
    }
}

extension AppFeed: RunningPart {}
extension AppSound: RunningPart {}
extension HeardViewers: RunningPart {}
extension HostAdvertising: RunningPart {}
extension HostBroadcast: RunningPart {}
extension HostRecording: RunningPart {}
extension PlayerEndpoint: RunningPart {}
extension Publication: RunningPart {}
extension RendezvousEndpoint: RunningPart {}
extension SharedClipboard: RunningPart {}
extension SharedFiles: RunningPart {}
extension SoundSupply: RunningPart {}
extension SourceServer: RunningPart {}
extension SourceEvents: RunningPart {
    func stop() async { finish() }
}
extension WebEndpoint: RunningPart {}
