package import HelioCore
internal import NIOCore

/// One peer of a ``PeerPort``: its engine, which runs on the port's event loop.
package final class PeerHandle<E: PeerPortEngine>: Sendable {
    private let loop: any EventLoop
    private let peer: NIOLoopBound<PeerDriver<E>>

    init(_ peer: PeerDriver<E>, loop: any EventLoop) {
        self.loop = loop
        self.peer = NIOLoopBound(peer, eventLoop: loop)
    }

    /// Works on the engine, then carries out what it says: offers, answers, candidates, what is to be sent.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (E, Instant) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [peer] in try peer.value.update(body) }.get()
    }

    /// The same for who is on the loop already, as in the callback of events.
    package func runOnLoop<Value, Failure: Error>(
        _ body: (E, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try peer.value.update(body)
    }

    /// Leaves the port.
    ///
    /// - Parameter goodbye: what the engine is to say first.
    package func close(_ goodbye: @escaping @Sendable (E, Instant) -> Void = { _, _ in }) async {
        try? await loop.submit { [peer] in peer.value.close(goodbye) }.get()
    }

    package func closeOnLoop(_ goodbye: (E, Instant) -> Void = { _, _ in }) { peer.value.close(goodbye) }
}
