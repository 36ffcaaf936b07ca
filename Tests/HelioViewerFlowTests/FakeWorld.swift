import HelioAppModels
import HelioCore
import HelioViewerFlow

/// A simulated network whose hosts' behavior tests set.
@MainActor
final class FakeWorld: ViewerWorld {
    var paired: [ListedHost] = []
    var found = FoundHosts([])
    var tellFound: ((FoundHosts) -> Void)?
    var sessions: [FakeSession] = []
    /// True if hosts require a code from unknown devices.
    var wantsCode = true
    /// The code that pairs without a person at the host.
    var pairingCode: String?
    /// The code that both screens show.
    var digits = "042 917"
    /// The error that ends a pairing confirmed by the user here; `nil` for success.
    var pairingEnd: HelioError?
    var pairings = 0
    var searches = 0
    var names: [String] = []
    private let pairingDone = AsyncStream.makeStream(of: Void.self)

    var session: FakeSession? { sessions.last }

    func browse(_ tell: @escaping @MainActor (FoundHosts) -> Void) {
        searches += 1
        tellFound = tell
        tell(found)
    }

    func stopBrowsing() { tellFound = nil }
    func pairedHosts() throws(HelioError) -> [ListedHost] { paired }

    func forget(_ host: ListedHost) throws(HelioError) {
        paired.removeAll { $0.address == host.address || $0.fingerprint != nil && $0.fingerprint == host.fingerprint }
    }

    func pair(
        with host: OpenedHost, code: String?, name: String, confirm: @escaping @Sendable (String) async -> Bool
    ) async throws(HelioError) -> String {
        defer { pairingDone.continuation.yield() }
        pairings += 1
        names.append(name)
        if let code {
            guard code == pairingCode else { throw HelioError(.refused, "Off.", reason: "pairing-off") }
        } else {
            guard await confirm(digits) else { throw HelioError(.refused, "They differ.", reason: "pairing-mismatch") }
            if let pairingEnd { throw pairingEnd }
        }
        paired.append(ListedHost(name: "Studio", address: host.listed.address, fingerprint: host.listed.fingerprint))
        return "Studio"
    }

    func makeSession(
        with host: OpenedHost, options: SessionOptions, onEvent: @escaping @MainActor (SessionEvent) -> Void
    ) throws(HelioError) -> any WatchingSession {
        let isPaired = paired.contains {
            $0.address == host.listed.address || $0.fingerprint != nil && $0.fingerprint == host.listed.fingerprint
        }
        if wantsCode, host.code == nil, host.link == nil, !isPaired {
            throw HelioError(.invalidArgument, "Not paired.", remedy: .pairFirst(host: host.listed.address))
        }
        let session = FakeSession(host, options, onEvent)
        sessions.append(session)
        return session
    }

    /// Waits until a pairing has ended.
    func pairingOver() async {
        for await _ in pairingDone.stream { break }
    }
}
