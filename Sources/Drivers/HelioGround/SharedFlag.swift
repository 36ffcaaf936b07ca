private import Synchronization

/// A flag that any thread may set or read. It can't be reset.
package final class SharedFlag: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isSet: Bool { flag.load(ordering: .acquiring) }
    package func set() { flag.store(true, ordering: .releasing) }
}
