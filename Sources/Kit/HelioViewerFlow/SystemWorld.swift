public import HelioAppModels
public import HelioCore
package import HelioViewing

/// The implementation of ``ViewerWorld`` by HelioViewing: this device's network, pairings and sessions.
@MainActor
public final class SystemWorld: ViewerWorld {
    private var search: Task<Void, Never>?
    /// The hosts that were found last, as HelioViewing's values, which are needed to connect to them.
    private var found: [DiscoveredHost] = []

    private let makeSession: SessionMaking

    /// The end of a session to make: a host that announces itself here, or the text that the user gave.
    package enum SessionTarget: Sendable {
        case announced(DiscoveredHost)
        case text(String)
    }

    /// Prepares a session with a host that asks for the code, if there is one; the events as in
    /// ``makeSession(with:options:onEvent:)``.
    package typealias SessionMaking =
        @MainActor (
            _ target: SessionTarget, _ code: String?, _ options: SessionOptions,
            _ onEvent: @escaping @MainActor (SessionEvent) -> Void
        ) throws(HelioError) -> any WatchingSession

    /// Makes the world; the search begins with ``browse(_:)``.
    public convenience init() {
        self.init { target, code, options, onEvent throws(HelioError) in
            switch target {
            case .announced(let host): try SystemSession(host, code, options, onEvent)
            case .text(let text): try SystemSession(text, code, options, onEvent)
            }
        }
    }

    /// Makes a world whose sessions are made by this closure, for an app that shows them in a process of their own.
    package init(sessions makeSession: @escaping SessionMaking) { self.makeSession = makeSession }

    isolated deinit { search?.cancel() }

    /// Browses for hosts with `HostBrowser`; leaves out this machine.
    public func browse(_ tell: @escaping @MainActor (FoundHosts) -> Void) {
        search?.cancel()
        search = Task { [weak self] in
            for await snapshot in HostBrowser() {
                guard let self, !Task.isCancelled else { return }
                found = snapshot.hosts.filter { !$0.isThisMachine }
                tell(FoundHosts(found.map(Self.listed), obstacle: snapshot.obstacle.map(Self.sentence)))
            }
        }
    }

    /// Ends the search; the hosts found so far can still be opened.
    public func stopBrowsing() {
        search?.cancel()
        search = nil
    }

    /// Returns the paired hosts of the `DeviceBook`.
    public func pairedHosts() throws(HelioError) -> [ListedHost] {
        try DeviceBook().allHosts().map {
            ListedHost(name: $0.name, address: Self.address($0), fingerprint: $0.fingerprint)
        }
    }

    /// Removes a host from the `DeviceBook`.
    public func forget(_ host: ListedHost) throws(HelioError) {
        let book = DeviceBook()
        let known = try book.allHosts().filter { known in
            host.fingerprint.map { $0 == known.fingerprint } ?? (Self.address(known) == host.address)
        }
        for known in known { try book.forget(Self.address(known)) }
    }

    /// Pairs with a host, using `HostPairing`.
    public func pair(
        with host: OpenedHost, code: String?, name: String, confirm: @escaping @Sendable (String) async -> Bool
    ) async throws(HelioError) -> String {
        if let here = discovered(host) {
            return try await HostPairing.pair(with: here, code: code, name: name, confirm: confirm).host
        }
        return try await HostPairing.pair(with: host.listed.address, code: code, name: name, confirm: confirm).host
    }

    /// Prepares a session: a `ViewerSession`, unless the world was made with other sessions.
    public func makeSession(
        with host: OpenedHost, options: SessionOptions, onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) -> any WatchingSession {
        if let here = discovered(host) { return try makeSession(.announced(here), host.code, options, onEvent) }
        return try makeSession(.text(host.link ?? host.listed.address), host.code, options, onEvent)
    }

    /// Returns the announcement of a host; `nil` if the host is opened by a link or is not announced.
    private func discovered(_ host: OpenedHost) -> DiscoveredHost? {
        guard host.link == nil else { return nil }
        if let fingerprint = host.listed.fingerprint { return found.first { $0.fingerprint == fingerprint } }
        return found.first { $0.address == host.listed.address }
    }

    private static func listed(_ host: DiscoveredHost) -> ListedHost {
        ListedHost(name: host.name, address: host.address, fingerprint: host.fingerprint)
    }

    private static func address(_ host: DeviceBook.Host) -> String {
        host.address.contains(":") ? "[\(host.address)]:\(host.port)" : "\(host.address):\(host.port)"
    }

    private static func sentence(_ obstacle: String) -> String { obstacle.hasSuffix(".") ? obstacle : obstacle + "." }
}
