import Synchronization

/// How often something happened, whoever counts.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock(\.self) }
    func add() { count.withLock { $0 += 1 } }
}
