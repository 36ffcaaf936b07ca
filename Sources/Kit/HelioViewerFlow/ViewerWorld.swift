public import HelioAppModels
public import HelioCore

/// The services that the flow depends on: network, pairings and sessions. Implemented by ``SystemWorld`` and by test
/// doubles.
@MainActor
public protocol ViewerWorld: AnyObject {
    /// Browses for hosts until ``stopBrowsing()``, and calls `tell` with all known hosts at each change.
    func browse(_ tell: @escaping @MainActor (FoundHosts) -> Void)
    func stopBrowsing()

    /// Returns the paired hosts. Throws `systemFailed` if they can't be read.
    func pairedHosts() throws(HelioError) -> [ListedHost]
    /// Removes a pairing, by the host's key or its address. Does nothing if there is none.
    func forget(_ host: ListedHost) throws(HelioError)

    /// Pairs with a host, and stores the pairing.
    ///
    /// - Parameters:
    ///   - code: the code for unattended pairing; `nil` lets the two users compare digits.
    ///   - name: this device's name, shown at the host.
    ///   - confirm: asks the user whether the host shows the same digits; called at most once, and not with a code.
    /// - Returns: the host's name.
    ///
    /// Throws `refused` if the host or a user declines, `unreachable` if no connection is possible, `invalidArgument`
    /// for a malformed address or code, and `systemFailed` if the pairing can't be stored.
    func pair(
        with host: OpenedHost, code: String?, name: String, confirm: @escaping @Sendable (String) async -> Bool
    ) async throws(HelioError) -> String

    /// Prepares a session; `WatchingSession.start` connects.
    ///
    /// - Parameter onEvent: called on the main thread with each event, never from within a call to the session.
    ///
    /// Throws `invalidArgument` for a malformed address, and also, with a remedy, if the host is not paired and there
    /// is no code.
    func makeSession(
        with host: OpenedHost, options: SessionOptions, onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) -> any WatchingSession
}
