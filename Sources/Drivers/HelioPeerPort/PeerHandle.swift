package import HelioCore
package import HelioPeer
internal import NIOCore

/// One peer of a ``PeerPort``: its engine, which runs on the port's event loop.
package final class PeerHandle: Sendable {
    private let loop: any EventLoop
    private let peer: NIOLoopBound<PeerDriver>

    init(_ peer: PeerDriver, loop: any EventLoop) {
        self.loop = loop
        self.peer = NIOLoopBound(peer, eventLoop: loop)
    }

    /// Works on the engine, then carries out what it says: offers, answers, candidates, what is to be sent.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (PeerConnection, Instant) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [peer] in try peer.value.update(body) }.get()
    }

    /// The same, not waited for: in the order of all that is run.
    package func post(_ body: @escaping @Sendable (PeerConnection, Instant) -> Void) {
        loop.execute { [peer] in peer.value.update(body) }
    }

    /// Called on the loop once it has done what it is at: it may have read some dozens of datagrams by then.
    package func afterTurn(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }

    /// The same for who is on the loop already, as in the callback of events.
    package func runOnLoop<Value, Failure: Error>(
        _ body: (PeerConnection, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try peer.value.update(body)
    }

    /// Leaves the port.
    ///
    /// - Parameter goodbye: what the engine is to say first.
    package func close(_ goodbye: @escaping @Sendable (PeerConnection, Instant) -> Void = { _, _ in }) async {
        try? await loop.submit { [peer] in peer.value.close(goodbye) }.get()
    }

    package func closeOnLoop(_ goodbye: (PeerConnection, Instant) -> Void = { _, _ in }) { peer.value.close(goodbye) }
}
