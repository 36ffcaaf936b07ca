internal import Synchronization

/// A pending wake-up, which any thread may set.
final class WakeFlag: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// Returns true if the flag was set, and clears it.
    func take() -> Bool {
        isSet.withLock { flag in
            defer { flag = false }
            return flag
        }
    }
}
