private import Synchronization

/// Counts the bytes of file messages that were received and wait for the file thread. That thread has the lowest
/// priority, so the queued bytes of each session are limited: no peer can exhaust the memory.
final class FileBacklog: Sendable {
    /// The memory overhead of a queued message, in bytes.
    static let messageCost = 256
    /// The maximum number of bytes that may be queued for one session. A peer that obeys its credit of 2 MiB stays
    /// below this limit, even if it sends only entries for empty files, 40 bytes each.
    static let most = 32 * 1024 * 1024

    private struct State {
        var waiting: [UInt64: Int] = [:]
        var refused = 0
    }

    private let state = Mutex(State())

    /// Counts a message of `bytes` bytes before it is queued. Returns false if the message has to be dropped.
    func put(_ bytes: Int, of session: UInt64) -> Bool {
        state.withLock { state in
            let waiting = state.waiting[session, default: 0] + bytes + Self.messageCost
            guard waiting <= Self.most else {
                state.refused += 1
                return false
            }
            state.waiting[session] = waiting
            return true
        }
    }

    /// Subtracts a message that was dequeued.
    func taken(_ bytes: Int, of session: UInt64) {
        state.withLock { state in
            let waiting = state.waiting[session, default: 0] - bytes - Self.messageCost
            state.waiting[session] = waiting > 0 ? waiting : nil
        }
    }

    /// The number of dropped messages.
    var refused: Int { state.withLock { $0.refused } }
}
