private import Synchronization

/// Messages about files that were read from connections and wait for the thread that deals with them, which runs only when
/// no other thread wants to: counted for each session, so that no peer can fill the memory ahead of it.
final class FileBacklog: Sendable {
    /// The bytes of memory that a waiting message takes beside its own.
    static let messageCost = 256
    /// The most bytes that may wait of one session. A peer that keeps to its credit of 2 MiB has less waiting, even where
    /// all of it are the entries of empty files, of 40 bytes each.
    static let most = 32 * 1024 * 1024

    private struct State {
        var waiting: [UInt64: Int] = [:]
        var refused = 0
    }

    private let state = Mutex(State())

    /// Counts a message of so many bytes that is about to wait. False where it may not.
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

    /// Counts a message that waits no longer.
    func taken(_ bytes: Int, of session: UInt64) {
        state.withLock { state in
            let waiting = state.waiting[session, default: 0] - bytes - Self.messageCost
            state.waiting[session] = waiting > 0 ? waiting : nil
        }
    }

    /// The number of messages that were dropped.
    var refused: Int { state.withLock { $0.refused } }
}
