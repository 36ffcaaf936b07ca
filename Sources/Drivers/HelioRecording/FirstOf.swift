private import Synchronization

/// Resumes a continuation once, when the first of several events is reported.
final class FirstOf: Sendable {
    private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<Void, Never>) { waiting.withLock { $0 = continuation } }

    /// Reports one of the events; only the first report has an effect.
    func come() {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume()
    }
}
