/// An event that a heartbeat's watcher reports.
package enum HeartbeatEvent: Sendable, Hashable {
    /// A sender is running: it was detected for the first time, or again after it was silent or had ended.
    case running
    /// The sender has not written a beat for too long and has not ended cleanly: it hangs, or was killed, for example
    /// by the system because it used too much memory.
    case crashed
    /// The sender has ended cleanly.
    case ended

    /// The human-readable warning; `nil` for an expected event.
    package var warning: String? {
        switch self {
        case .crashed:
            "The broadcast has stopped without a word: its process was killed, by the system if it took too much memory."
        case .running, .ended: nil
        }
    }
}
