/// An event that a heartbeat's watcher reports.
package enum HeartbeatEvent: Sendable, Hashable {
    /// A sender is running: seen for the first time, or again after it was silent or had ended.
    case running
    /// The sender has not written for too long without having ended: it was killed, as the system does without notice
    /// to a process that uses too much memory, or it hangs.
    case crashed
    /// The sender has ended in good order.
    case ended

    /// The warning for users; `nil` for an expected event.
    package var warning: String? {
        switch self {
        case .crashed:
            "The broadcast has stopped without a word: its process was killed, by the system if it took too much memory."
        case .running, .ended: nil
        }
    }
}
