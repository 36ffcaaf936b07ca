import HelioAppModels
import HelioCore
import HelioViewerFlow
import HelioViewing

/// The real network and pairings, with sessions without a window, or the app's own.
@MainActor
final class LoopbackWorld: ViewerWorld {
    private let system = SystemWorld()
    private let hasWindow: Bool

    init(hasWindow: Bool = false) { self.hasWindow = hasWindow }

    // Other hosts on the network must not affect the test.
    func browse(_ tell: @escaping @MainActor (FoundHosts) -> Void) { tell(FoundHosts([])) }
    func stopBrowsing() {}
    func pairedHosts() throws(HelioError) -> [ListedHost] { try system.pairedHosts() }
    func forget(_ host: ListedHost) throws(HelioError) { try system.forget(host) }

    func pair(
        with host: OpenedHost, code: String?, name: String, confirm: @escaping @Sendable (String) async -> Bool
    ) async throws(HelioError) -> String {
        try await system.pair(with: host, code: code, name: name, confirm: confirm)
    }

    func makeSession(
        with host: OpenedHost, options: SessionOptions, onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) -> any WatchingSession {
        if hasWindow { return try system.makeSession(with: host, options: options, onEvent: onEvent) }
        return SinkSession(try MirrorSink(link: host.link ?? host.listed.address, code: host.code), onEvent)
    }
}
