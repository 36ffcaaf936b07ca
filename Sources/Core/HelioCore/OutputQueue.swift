/// What an engine has produced and its driver has not taken yet. Drained after every input, so it never holds more
/// than one input can cause.
///
/// Inlinable: it lies on the way of every packet, in other modules than this one.
package struct OutputQueue<Output> {
    @usableFromInline var waiting: [Output] = []
    @usableFromInline var taken = 0

    @inlinable
    package init() {}

    @inlinable
    package mutating func append(_ output: Output) { waiting.append(output) }

    @inlinable
    package mutating func next() -> Output? {
        guard taken < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return waiting[taken - 1]
    }
}

extension OutputQueue: Sendable where Output: Sendable {}
