/// What a watcher of a heartbeat tells.
package enum HeartbeatEvent: Sendable, Hashable {
    /// A sender is running: seen for the first time, or again after it was silent or had ended.
    case running
    /// It has not written for too long, and had not ended: it was killed, as the system does without a word to one that
    /// takes too much memory, or it hangs.
    case crashed
    /// It has ended in good order.
    case ended

    /// What a person is told; `nil` for what is as it should be.
    package var warning: String? {
        switch self {
        case .crashed:
            "The broadcast has stopped without a word: its process was killed, by the system if it took too much memory."
        case .running, .ended: nil
        }
    }
}
