private import Synchronization

/// Resumes who waits for the first of several things, once.
final class FirstOf: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.withLock { $0 = continuation } }

    /// One of them is there.
    func come() {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }
}
