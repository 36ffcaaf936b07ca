internal import HelioBroadcast
public import HelioCore
private import HelioHeartbeat

/// Watches, from another process, whether one that broadcasts is alive: told by its heartbeat, a file that it writes every
/// 5 s (rows 166 and 167).
public final class BroadcastWatchdog: Sendable {
    /// What is seen of the other process.
    public enum Event: Sendable, Hashable {
        /// It is alive: seen for the first time, or again.
        case running
        /// It has written nothing for 15 s, and had not ended: it was killed, as by a system that lacks memory, or it
        /// hangs.
        case crashed
        /// It has ended in good order.
        case ended

        /// What a person is told; `nil` for what is as it should be.
        public var warning: String? {
            guard case .crashed = self else { return nil }
            return HeartbeatEvent.crashed.warning
        }
    }

    private let watcher: HeartbeatWatcher

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - heartbeat: the folder of `BroadcastOptions.heartbeat`; it is made where it is not there yet.
    ///   - onEvent: called on a thread of the watchdog's, in order.
    ///
    /// Throws `systemFailed` where others than this user may change the folder.
    public init(heartbeat: String, onEvent: @escaping @Sendable (Event) -> Void) throws(HelioError) {
        watcher = try HeartbeatWatcher(in: heartbeat) { event in
            switch event {
            case .running: onEvent(.running)
            case .crashed: onEvent(.crashed)
            case .ended: onEvent(.ended)
            }
        }
    }

    /// Ends; an event may still be on its way.
    public func close() { watcher.close() }
}
