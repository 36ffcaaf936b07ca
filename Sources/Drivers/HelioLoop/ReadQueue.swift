package import Synchronization

/// What waits to be read, by rules of its own of what is kept.
package protocol Readable: Sendable {
    associatedtype Element: Sendable
    /// Takes the oldest out; `nil` where none waits.
    mutating func takeFirst() -> Element?
    /// There will be none after those that wait.
    var isFinished: Bool { get }
}

/// A queue for one reader, which waits for what comes; a second reader takes the first one's place.
///
/// Whoever has put something in wakes the reader. Inlinable, as what a data channel receives comes by here.
package final class ReadQueue<Queue: Readable>: Sendable {
    @usableFromInline typealias Reader = CheckedContinuation<Queue.Element?, Never>

    @usableFromInline struct State: Sendable {
        @usableFromInline var queue: Queue
        @usableFromInline var reader: Reader?

        @inlinable init(queue: Queue) { self.queue = queue }

        /// The reader that waits, with what it is to be given.
        @inlinable mutating func takeReader() -> (Reader?, Queue.Element?) {
            guard let reader else { return (nil, nil) }
            let element = queue.takeFirst()
            if element == nil, !queue.isFinished { return (nil, nil) }
            self.reader = nil
            return (reader, element)
        }

        /// The next element, or whether there will be none; else the reader waits, and an earlier one does no more.
        @inlinable mutating func read(_ continuation: Reader, isOver: Bool) -> (Queue.Element?, Bool, Reader?) {
            if let element = queue.takeFirst() { return (element, false, nil) }
            if queue.isFinished || isOver { return (nil, true, nil) }
            defer { reader = continuation }
            return (nil, false, reader)
        }
    }

    @usableFromInline let state: Mutex<State>

    @inlinable package init(_ queue: Queue) { state = Mutex(State(queue: queue)) }

    /// Works on the queue, and tells it whether the reader waits. Does not wake it.
    @inlinable package func update<Value>(_ body: (inout Queue, _ isAwaited: Bool) -> Value) -> Value {
        state.withLock { body(&$0.queue, $0.reader != nil) }
    }

    /// Works on the queue, then gives the reader what there is.
    @inlinable package func updateAndWake<Value>(_ body: (inout Queue) -> Value) -> Value {
        let (value, reader, element) = state.withLock { state in
            let value = body(&state.queue)
            let (reader, element) = state.takeReader()
            return (value, reader, element)
        }
        reader?.resume(returning: element)
        return value
    }

    /// Waits for the next element; `nil` once there is none any more, and when the task is cancelled.
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
