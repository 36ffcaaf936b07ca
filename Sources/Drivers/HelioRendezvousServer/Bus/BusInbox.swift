private import DequeModule
private import Synchronization

/// The messages between the threads of the NATS library and the event loop, which is woken once for many.
final class BusInbox: Sendable {
    private struct State {
        var messages = Deque<[UInt8]>()
        var bytes = 0
        /// True from the wake-up until nothing is left.
        var isWoken = false
        var full = 0
        var oversized = 0
        var received = 0
    }

    /// The most messages that wait, and their bytes: the records of all devices of an instance come at once.
    static let limit = 1 << 18
    static let byteLimit = 64 << 20
    /// The longest message in bytes: a device's longest, with what an instance puts before it.
    static let longest = 66 << 10

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// - Parameter wake: called on any thread when `take` has something to take.
    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    var received: Int { state.withLock { $0.received } }

    func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        // The copy is made without the lock.
        let message = bytes.count > Self.longest ? nil : Array(bytes)
        change { state in
            state.received += 1
            guard let message else {
                state.oversized += 1
                return
            }
            guard state.messages.count < Self.limit, state.bytes + message.count <= Self.byteLimit else {
                state.full += 1
                return
            }
            state.messages.append(message)
            state.bytes += message.count
        }
    }

    /// Counts messages that the library itself has dropped, as they came faster than they were taken.
    func lose() { change { $0.full += 1 } }

    func take(most: Int) -> BusArrivals {
        state.withLock { state in
            let taken = Array(state.messages.prefix(most))
            state.messages.removeFirst(taken.count)
            state.bytes -= taken.reduce(0) { $0 + $1.count }
            state.isWoken = !state.messages.isEmpty
            defer { (state.full, state.oversized) = (0, 0) }
            return BusArrivals(
                messages: taken, hasMore: state.isWoken, full: state.full, oversized: state.oversized)
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            body(&state)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isFirst { wake() }
    }
}
