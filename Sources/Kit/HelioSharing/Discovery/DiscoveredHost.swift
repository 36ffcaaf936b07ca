private import HelioCore
internal import HelioDiscovery
private import HelioMDNS

/// A host that announces itself on the local network.
///
/// Anybody on the network can announce anything, so none of these values is proven. A host proves its identity by its
/// certificate, whose fingerprint is in a pairing or a link.
public struct DiscoveredHost: Sendable, Hashable, Identifiable {
    /// The identity of a discovered host, stable for as long as it is announced.
    public struct ID: Sendable, Hashable {
        let value: FoundHost.ID
    }

    /// The host's identity; see `ID`.
    public let id: ID
    /// A name for display, unique among the hosts of the network.
    public let name: String
    /// The name that the host gave itself; another host may have the same.
    public let ownName: String
    /// The addresses of the host, IPv4 first: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`. At least one.
    public let addresses: [String]
    /// The host's TCP port.
    public let port: Int
    /// The port of the host's page for browsers; `nil` if it has none.
    public let webPort: Int?
    /// True if the host's page for browsers is served over HTTPS.
    public let webUsesTLS: Bool
    /// The announced SHA-256 of the host's certificate, 64 hexadecimal digits; a hint without proof. `nil` if none is
    /// announced.
    public let fingerprint: String?
    /// The host's version of Heliograph; `nil` if none is announced.
    public let version: String?
    /// True if the host is this machine.
    public let isThisMachine: Bool

    /// The first address with the port, as `ADDRESS:PORT`. Pass it to ``HostPairing``, or to `Viewer` with a code.
    public var address: String { Authority.text(addresses[0], port: port) }

    /// The URL of the host's page for browsers; `nil` if it has none.
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
