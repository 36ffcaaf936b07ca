/// A queue of events from another thread: tests wait for particular ones, within their time limit.
final class EventLog<Event: Sendable> {
    struct Over: Error {}

    let put: @Sendable (Event) -> Void
    private var iterator: AsyncStream<Event>.Iterator
    /// All events that were read.
    private(set) var taken: [Event] = []

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        put = { continuation.yield($0) }
        iterator = stream.makeAsyncIterator()
    }

    /// Waits for the next event for which `value` is not `nil`, and returns that value.
    @discardableResult
    func first<Value>(_ value: (Event) -> Value?) async throws -> Value {
        while let event = await iterator.next() {
            taken.append(event)
            if let value = value(event) { return value }
        }
        throw Over()
    }
}
