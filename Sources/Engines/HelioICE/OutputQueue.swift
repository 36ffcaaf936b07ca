/// What the agent has produced and its driver has not taken yet. Drained after every input, so it never holds more
/// than one input can cause.
struct OutputQueue<Output> {
    private var waiting: [Output] = []
    private var taken = 0

    mutating func append(_ output: Output) { waiting.append(output) }

    mutating func next() -> Output? {
        guard taken < waiting.count else {
            waiting.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return waiting[taken - 1]
    }
}
