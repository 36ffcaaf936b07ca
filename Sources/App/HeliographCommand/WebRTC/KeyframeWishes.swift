/// What the decoder's thread wishes for, on its way to who can ask the peer: however often, it is one wish.
struct KeyframeWishes: Sendable {
    let all: AsyncStream<Void>
    private let given: AsyncStream<Void>.Continuation

    init() {
        (all, given) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wish() { given.yield() }
}
