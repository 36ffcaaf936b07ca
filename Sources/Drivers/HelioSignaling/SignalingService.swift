public import HelioCore

/// A service by which clients and this host find each other and exchange messages until they have a connection of their
/// own (requirement row 126).
///
/// The service makes this host reachable; it does not look into the messages. `LocalSignalingService` listens on this
/// machine; `RemoteSignalingService` takes the calls that come through a rendezvous server; an app may have another.
/// To the sessions they are the same.
public protocol SignalingService: Sendable {
    /// Begins to admit connections. Called once.
    ///
    /// - Parameter receiver: called with each event, on a thread of the service, one event at a time; must not block.
    ///   Never called from within `send` or `close` of a connection.
    func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError)

    /// Closes all connections and admits no more. Messages sent before are delivered first, to clients that read them.
    func stop() async

    /// Returns the counts since the start.
    func statistics() async -> SignalingStatistics
}

extension SignalingService {
    /// Returns no counts, for a service that keeps none.
    public func statistics() async -> SignalingStatistics { SignalingStatistics() }
}
