internal import HelioBroadcast
public import HelioCore
private import HelioHeartbeat

/// Detects from another process whether a broadcasting process is alive, by its heartbeat: a file that the broadcasting
/// process writes every 5 s (requirement rows 166 and 167).
public final class BroadcastWatchdog: Sendable {
    /// A change in the state of the watched process.
    public enum Event: Sendable, Hashable {
        /// The process is alive: reported when its heartbeat is seen for the first time, and after `crashed` or
        /// `ended`.
        case running
        /// The process has written no heartbeat for 15 s without having ended properly: it hangs or was killed, for
        /// example because the system lacked memory.
        case crashed
        /// The process has ended properly.
        case ended

        /// The warning to show to the user; `nil` for an event that needs no warning.
        public var warning: String? {
            guard case .crashed = self else { return nil }
            return HeartbeatEvent.crashed.warning
        }
    }

    private let watcher: HeartbeatWatcher

    /// Starts to watch the heartbeat.
    ///
    /// - Parameters:
    ///   - heartbeat: the folder given as `BroadcastOptions.heartbeat`; it is created if it does not exist.
    ///   - onEvent: called with the events in order, on one of the watchdog's threads.
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
