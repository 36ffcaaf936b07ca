/// Passes keyframe requests from the decoding thread to the task that sends requests to the peer. Several pending
/// requests are merged.
struct KeyframeWishes: Sendable {
    let all: AsyncStream<Void>
    private let given: AsyncStream<Void>.Continuation

    init() {
        (all, given) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wish() { given.yield() }
}
