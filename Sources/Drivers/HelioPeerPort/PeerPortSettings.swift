package import HelioCore

/// The addresses, transports and limits of a ``PeerPort``.
package struct PeerPortSettings: Sendable {
    /// The addresses of this machine at which the port is open. If empty, the port is open at all addresses except
    /// link-local IPv6 addresses, including addresses that the machine gets later, and at loopback if there are no
    /// others.
    package var addresses: [IPAddress] = []
    /// True to use loopback addresses too, if `addresses` is empty.
    package var includesLoopback = false
    /// The port number for both UDP and TCP; 0 picks a free number.
    package var port: UInt16 = 0
    /// True to use any free port if `port` can't be opened.
    package var fallsBack = false
    package var usesUDP = true
    /// True to accept TCP connections, and to make them to peers with passive TCP candidates (RFC 6544).
    package var usesTCP = true
    /// The TCP port of another listener, which hands over the connections for this port (`PeerPort.acceptOnLoop`).
    /// Peers get this port as a candidate, and no TCP port is opened. If `nil`, the port opens its own listeners.
    package var sharedTCPPort: UInt16?

    package var maximumPeers = 1024
    package var maximumConnections = 1024
    /// The maximum number of connections of one peer, in both directions.
    package var maximumConnectionsPerPeer = 8
    /// The maximum number of connections whose remote end has not authenticated yet.
    package var maximumUnproven = 64
    /// The time within which the remote end must authenticate.
    package var provingTimeout = Duration.seconds(10)
    /// The idle timeout of a connection. ICE checks consent every 5 s, so a working connection is never idle that long.
    package var idleTimeout = Duration.seconds(60)
    /// The maximum number of bytes that wait to be written to one connection; further packets are dropped.
    package var maximumWaiting = 1 << 20
    /// The maximum number of TURN servers of one peer.
    package var maximumServersPerPeer = 8
    /// A PEM file with the certificates of the authorities to trust for TURN servers over TLS; `nil` for the
    /// authorities that this machine trusts.
    package var authorities: String?
    /// The interval at which the machine's addresses are polled if `addresses` is empty.
    package var watchInterval = Duration.seconds(2)
    /// Lists the machine's addresses; loopback addresses only if the argument is true, or if there are no others.
    package var listAddresses: @Sendable (_ includingLoopback: Bool) throws -> [IPAddress] = {
        try HostAddresses.all(includingLoopback: $0)
    }
    /// The multicast DNS group, which resolves `.local` names (RFC 6762 section 3).
    package var multicast = TransportAddress(.v4(0xE000_00FB), port: 5353)

    package init() {}
}
