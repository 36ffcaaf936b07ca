private import HelioCore
internal import HelioDiscovery
private import HelioMDNS

/// A host that announces itself on the local network.
///
/// Anybody there can announce anything, so nothing of this is proven: who a host is, its certificate shows, and a pairing
/// or a link knows that.
public struct DiscoveredHost: Sendable, Hashable, Identifiable {
    /// Tells it from other hosts, as long as it is there.
    public struct ID: Sendable, Hashable {
        let value: FoundHost.ID
    }

    /// See `ID`.
    public let id: ID
    /// What it is called, unlike any other host of the same network; fit to be shown.
    public let name: String
    /// What it calls itself; another host may do the same.
    public let ownName: String
    /// Where it can be reached, IPv4 first: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`. At least one.
    public let addresses: [String]
    /// Its TCP port.
    public let port: Int
    /// The port of its page for browsers, where it has one.
    public let webPort: Int?
    /// Whether that page comes by HTTPS.
    public let webUsesTLS: Bool
    /// What it says that its certificate's SHA-256 is, 64 hexadecimal digits. A hint, no proof.
    public let fingerprint: String?
    /// Its Heliograph's version.
    public let version: String?
    /// It is this machine.
    public let isThisMachine: Bool

    /// `ADDRESS:PORT`, of the first address: for ``HostPairing``, and for ``Viewer`` with a code.
    public var address: String { Authority.text(addresses[0], port: port) }

    /// Its page for browsers.
    public var webURL: String? {
        webPort.map { "\(webUsesTLS ? "https" : "http")://\(Authority.text(addresses[0], port: $0))/" }
    }

    init(_ host: FoundHost) {
        id = ID(value: host.id)
        name = host.name
        ownName = host.ownName ?? host.name
        addresses = host.addresses.map { "\($0)" }
        port = Int(host.port)
        webPort = host.description.webPort.map { Int($0) }
        webUsesTLS = host.description.webUsesTLS
        fingerprint = host.description.fingerprint.map { Hexadecimal.text($0) }
        version = host.description.version
        isThisMachine = host.isLocal
    }
}
