package import Synchronization

/// The elements that wait to be read, with a rule of its own for what is kept.
package protocol Readable: Sendable {
    associatedtype Element: Sendable
    /// Takes the oldest element; `nil` where none waits.
    mutating func takeFirst() -> Element?
    /// True where no more elements come after those that wait.
    var isFinished: Bool { get }
}

/// A queue for one reader, which waits for the next element; a second reader takes the first one's place.
///
/// The call that adds an element wakes the reader. Inlinable, as all messages of data channels go through here.
package final class ReadQueue<Queue: Readable>: Sendable {
    @usableFromInline typealias Reader = CheckedContinuation<Queue.Element?, Never>

    @usableFromInline struct State: Sendable {
        @usableFromInline var queue: Queue
        @usableFromInline var reader: Reader?

        @inlinable init(queue: Queue) { self.queue = queue }

        /// Takes the waiting reader, with the element to give it.
        @inlinable mutating func takeReader() -> (Reader?, Queue.Element?) {
            guard let reader else { return (nil, nil) }
            let element = queue.takeFirst()
            if element == nil, !queue.isFinished { return (nil, nil) }
            self.reader = nil
            return (reader, element)
        }

        /// Takes the next element, or tells that there will be none; else the reader waits, in place of an earlier one.
        @inlinable mutating func read(_ continuation: Reader, isOver: Bool) -> (Queue.Element?, Bool, Reader?) {
            if let element = queue.takeFirst() { return (element, false, nil) }
            if queue.isFinished || isOver { return (nil, true, nil) }
            defer { reader = continuation }
            return (nil, false, reader)
        }
    }

    @usableFromInline let state: Mutex<State>

    @inlinable package init(_ queue: Queue) { state = Mutex(State(queue: queue)) }

    /// Changes the queue, and tells it whether the reader waits. Does not wake it.
    @inlinable package func update<Value>(_ body: (inout Queue, _ isAwaited: Bool) -> Value) -> Value {
        state.withLock { body(&$0.queue, $0.reader != nil) }
    }

    /// Changes the queue, then gives the reader the next element.
    @inlinable package func updateAndWake<Value>(_ body: (inout Queue) -> Value) -> Value {
        let (value, reader, element) = state.withLock { state in
            let value = body(&state.queue)
            let (reader, element) = state.takeReader()
            return (value, reader, element)
        }
        reader?.resume(returning: element)
        return value
    }

    /// Waits for the next element; `nil` once there are none any more, and when the task is cancelled.
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
