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

    /// Runs `body` on the engine, then executes the outputs: offers, answers, candidates, packets.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable (PeerEngine, Instant) throws -> Value
    ) async throws -> Value {
        try await loop.submit { [peer] in try peer.value.update(body) }.get()
    }

    /// Schedules `body` on the engine, without waiting for it. Calls run in order.
    package func post(_ body: @escaping @Sendable (PeerEngine, Instant) -> Void) {
        loop.execute { [peer] in peer.value.update(body) }
    }

    /// Calls `body` on the loop at the end of the current event-loop tick, which may include some dozens of datagrams.
    package func afterTurn(_ body: @escaping @Sendable () -> Void) { loop.execute(body) }

    /// Runs `body` at once; for callers on the loop, such as event callbacks.
    package func runOnLoop<Value, Failure: Error>(
        _ body: (PeerEngine, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try peer.value.update(body)
    }

    /// Closes the peer and removes it from the port.
    ///
    /// - Parameter goodbye: run on the engine first, to notify the remote peer.
    package func close(_ goodbye: @escaping @Sendable (PeerEngine, Instant) -> Void = { _, _ in }) async {
        try? await loop.submit { [peer] in peer.value.close(goodbye) }.get()
    }

    package func closeOnLoop(_ goodbye: (PeerEngine, Instant) -> Void = { _, _ in }) { peer.value.close(goodbye) }
}
