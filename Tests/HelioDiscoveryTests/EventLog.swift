/// What is told on another thread, one after the other: a test waits for what it is after, within its time limit.
final class EventLog<Event: Sendable> {
    struct Over: Error {}

    let put: @Sendable (Event) -> Void
    private var iterator: AsyncStream<Event>.Iterator
    /// All that was taken.
    private(set) var taken: [Event] = []

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        put = { continuation.yield($0) }
        iterator = stream.makeAsyncIterator()
    }

    /// Waits for the next event for which there is a value.
    @discardableResult
    func first<Value>(_ value: (Event) -> Value?) async throws -> Value {
        while let event = await iterator.next() {
            taken.append(event)
            if let value = value(event) { return value }
        }
        throw Over()
    }
}
