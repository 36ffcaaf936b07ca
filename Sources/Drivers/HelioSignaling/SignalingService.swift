package import HelioCore

/// A service by which a client and this host find each other and exchange messages until they have a connection of
/// their own (requirement row 126).
///
/// The engine handles the contents of the messages (docs/web/protocol.md); the service makes this host reachable for
/// clients. `LocalSignalingService` listens on this machine; `RemoteSignalingService` takes the calls that come through
/// a rendezvous server. To the sessions they are the same.
package protocol SignalingService: Sendable {
    /// Begins to admit connections. Called once.
    ///
    /// - Parameter receiver: called on the service's event loop with each event; must not block. Never called from
    ///   within `send` or `close` of a connection.
    func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError)

    /// Closes all connections and admits no more. Messages sent before are delivered first, to clients that read them.
    func stop() async

    func statistics() async -> SignalingStatistics
}
