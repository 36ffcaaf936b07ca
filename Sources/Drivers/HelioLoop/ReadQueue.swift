package import Synchronization

/// A queue of elements that has its own rule for dropping elements.
package protocol Readable: Sendable {
    associatedtype Element: Sendable
    /// Removes and returns the oldest element; `nil` if the queue is empty.
    mutating func takeFirst() -> Element?
    /// True if no elements follow the queued ones.
    var isFinished: Bool { get }
}

/// A queue for one reader, which waits for the next element; a second reader replaces the first, which then gets `nil`.
///
/// The call that adds an element wakes the reader. The methods are inlinable, as all messages of data channels pass
/// through this queue.
package final class ReadQueue<Queue: Readable>: Sendable {
    @usableFromInline typealias Reader = CheckedContinuation<Queue.Element?, Never>

    @usableFromInline struct State: Sendable {
        @usableFromInline var queue: Queue
        @usableFromInline var reader: Reader?

        @inlinable init(queue: Queue) { self.queue = queue }

        /// Removes the waiting reader if there is an element for it, or the queue has ended; returns the reader with
        /// the element, or with `nil` at the end.
        @inlinable mutating func takeReader() -> (Reader?, Queue.Element?) {
            guard let reader else { return (nil, nil) }
            let element = queue.takeFirst()
            if element == nil, !queue.isFinished { return (nil, nil) }
            self.reader = nil
            return (reader, element)
        }

        /// Returns the next element, or true if no more elements follow; otherwise stores the reader, and returns the
        /// reader that it replaces.
        @inlinable mutating func read(_ continuation: Reader, isOver: Bool) -> (Queue.Element?, Bool, Reader?) {
            if let element = queue.takeFirst() { return (element, false, nil) }
            if queue.isFinished || isOver { return (nil, true, nil) }
            defer { reader = continuation }
            return (nil, false, reader)
        }
    }

    @usableFromInline let state: Mutex<State>

    @inlinable package init(_ queue: Queue) { state = Mutex(State(queue: queue)) }

    /// Changes the queue, without waking the reader. `isAwaited` is true if the reader waits.
    @inlinable package func update<Value>(_ body: (inout Queue, _ isAwaited: Bool) -> Value) -> Value {
        state.withLock { body(&$0.queue, $0.reader != nil) }
    }

    /// Changes the queue, then resumes a waiting reader with the next element.
    @inlinable package func updateAndWake<Value>(_ body: (inout Queue) -> Value) -> Value {
        let (value, reader, element) = state.withLock { state in
            let value = body(&state.queue)
            let (reader, element) = state.takeReader()
            return (value, reader, element)
        }
        reader?.resume(returning: element)
        return value
    }

    /// Waits for the next element; `nil` at the end, when the task is cancelled, or when another reader takes over.
    @inlinable package func next(isolation actor: isolated (any Actor)?) async -> Queue.Element? {
        await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: actor) { continuation in
                let (element, isOver, earlier) = state.withLock { $0.read(continuation, isOver: Task.isCancelled) }
                earlier?.resume(returning: nil)
                if element != nil || isOver { continuation.resume(returning: element) }
            }
        } onCancel: {
            let reader = state.withLock { state in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }
}
