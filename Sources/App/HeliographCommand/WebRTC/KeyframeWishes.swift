/// The keyframe requests of the decoding thread, on their way to the task that asks the peer; several merge into one.
struct KeyframeWishes: Sendable {
    let all: AsyncStream<Void>
    private let given: AsyncStream<Void>.Continuation

    init() {
        (all, given) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wish() { given.yield() }
}
