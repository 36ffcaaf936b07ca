private import Synchronization

/// The readers of the events of `SharedFiles`, each with a queue of its own.
final class FileEventReaders: Sendable {
    /// The maximum number of events that are queued for one reader; older ones are dropped.
    private static let eventsWaiting = 4096

    private struct State {
        var readers: [Int: AsyncStream<FileEvent>.Continuation] = [:]
        var next = 0
        var isOver = false
    }

    private let state = Mutex(State())

    func add() -> AsyncStream<FileEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FileEvent.self, bufferingPolicy: .bufferingNewest(Self.eventsWaiting))
        let number = state.withLock { state -> Int? in
            if state.isOver { return nil }
            state.next += 1
            state.readers[state.next] = continuation
            return state.next
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.readers.removeValue(forKey: number) }
        }
        return stream
    }

    func tell(_ event: FileEvent) {
        for reader in state.withLock({ $0.readers.values.map(\.self) }) { reader.yield(event) }
    }

    func finish() {
        let all = state.withLock { state in
            state.isOver = true
            defer { state.readers = [:] }
            return state.readers.values.map(\.self)
        }
        for reader in all { reader.finish() }
    }
}
