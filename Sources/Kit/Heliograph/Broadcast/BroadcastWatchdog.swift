internal import HelioBroadcast
public import HelioCore
private import HelioHeartbeat

/// Watches from another process whether a broadcasting process is alive, by its heartbeat: a file that it writes every
/// 5 s (rows 166 and 167).
public final class BroadcastWatchdog: Sendable {
    /// A change in the state of the watched process.
    public enum Event: Sendable, Hashable {
        /// The process is alive: noticed for the first time, or again.
        case running
        /// The process has written nothing for 15 s and had not ended properly: it was killed, for example by a system
        /// that lacks memory, or it hangs.
        case crashed
        /// The process has ended properly.
        case ended

        /// The warning to show to a person; `nil` for an event that needs none.
        public var warning: String? {
            guard case .crashed = self else { return nil }
            return HeartbeatEvent.crashed.warning
        }
    }

    private let watcher: HeartbeatWatcher

    /// Starts to watch.
    ///
    /// - Parameters:
    ///   - heartbeat: the folder given as `BroadcastOptions.heartbeat`; it is created if it does not exist.
    ///   - onEvent: called with the events in order, on a thread of the watchdog.
    ///
    /// Throws `systemFailed` if users other than this one may write to the folder.
    public init(heartbeat: String, onEvent: @escaping @Sendable (Event) -> Void) throws(HelioError) {
        watcher = try HeartbeatWatcher(in: heartbeat) { event in
            switch event {
            case .running: onEvent(.running)
            case .crashed: onEvent(.crashed)
            case .ended: onEvent(.ended)
            }
        }
    }

    /// Stops watching; one event may still arrive.
    public func close() { watcher.close() }
}
