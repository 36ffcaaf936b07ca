import Synchronization

/// A thread-safe count of events.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock(\.self) }
    func add() { count.withLock { $0 += 1 } }
}
