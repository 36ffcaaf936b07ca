public import HelioAppModels
public import HelioCore

/// What the flow has done for it elsewhere: on the network, with pairings, and by sessions. ``SystemWorld`` in the app, a
/// test's own in tests.
@MainActor
public protocol ViewerWorld: AnyObject {
    /// Looks for hosts, and tells of all that are known whenever that changes, until ``stopBrowsing()``.
    func browse(_ tell: @escaping @MainActor (FoundHosts) -> Void)
    func stopBrowsing()

    /// The hosts that this device is paired with. Throws `systemFailed` where they can't be read.
    func pairedHosts() throws(HelioError) -> [ListedHost]
    /// Forgets a pairing, by the host's key or its address. Nothing happens where there is none.
    func forget(_ host: ListedHost) throws(HelioError)

    /// Pairs with a host, and stores the pairing.
    ///
    /// - Parameters:
    ///   - code: the code that pairs without anybody at the host; `nil` lets people compare digits.
    ///   - name: what this device is called there.
    ///   - confirm: asks the person whether the host shows the same digits; called at most once, and not with a code.
    /// - Returns: the host's name.
    ///
    /// Throws `refused`, `unreachable`, `invalidArgument` or `systemFailed`.
    func pair(
        with host: OpenedHost, code: String?, name: String, confirm: @escaping @Sendable (String) async -> Bool
    ) async throws(HelioError) -> String

    /// Prepares a session; `WatchingSession.start` connects.
    ///
    /// - Parameter onEvent: called on the main thread, never from within a call of the session's.
    ///
    /// Throws `invalidArgument` where the address can't be read, or with a remedy where the host is not paired and there is
    /// no code.
    func makeSession(
        with host: OpenedHost, options: SessionOptions, onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) -> any WatchingSession
}
