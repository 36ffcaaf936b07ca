package import HelioCore

/// Where somebody who wants to see this screen can be met, and text goes both ways until the two have a connection of
/// their own (row 126).
///
/// What the texts mean is the engine's business (docs/web/protocol.md), where the other came from is the service's:
/// `LocalSignalingService` listens on this machine; one that meets people at a rendezvous elsewhere fits as well.
package protocol SignalingService: Sendable {
    /// Begins to let people come. Once.
    ///
    /// - Parameter receiver: called on the service's event loop with each event; must not block. Never called from
    ///   within `send` or `close` of a connection.
    func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError)

    /// Closes all connections and lets nobody come any more. What was sent before leaves first, where the other reads.
    func stop() async

    func statistics() async -> SignalingStatistics
}
