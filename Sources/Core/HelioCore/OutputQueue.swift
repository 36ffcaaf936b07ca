/// A queue of an engine's outputs that its driver has not taken yet. Drained after every input, so it never holds more
/// than one input can cause.
///
/// Inlinable: left generic, each call would look its types up at run time, for microseconds where the caches are cold,
/// in the path of every input event.
package struct OutputQueue<Output> {
    @usableFromInline var waiting: [Output] = []
    @usableFromInline var taken = 0

    @inlinable package init() {}

    @inlinable package mutating func append(_ output: Output) { waiting.append(output) }

    @inlinable package mutating func next() -> Output? {
        guard taken < waiting.count else {
            if taken > 0 {
                waiting.removeAll(keepingCapacity: true)
                taken = 0
            }
            return nil
        }
        taken += 1
        return waiting[taken - 1]
    }
}
