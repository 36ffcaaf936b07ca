/// What an engine has produced and its driver has not taken yet. Drained after every input, so it never holds
/// more than one input can cause.
package struct OutputQueue<Output> {
    private var waiting: [Output] = []
    private var taken = 0

    package init() {}

    package mutating func append(_ output: Output) { waiting.append(output) }

    package mutating func next() -> Output? {
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
