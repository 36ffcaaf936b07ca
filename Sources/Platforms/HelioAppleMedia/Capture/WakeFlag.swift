internal import Synchronization

/// A wake that waits to be told. Any thread.
final class WakeFlag: Sendable {
    private let isSet = Mutex(false)

    func set() { isSet.withLock { $0 = true } }

    /// Returns true if it was set, once.
    func take() -> Bool {
        isSet.withLock { flag in
            defer { flag = false }
            return flag
        }
    }
}
