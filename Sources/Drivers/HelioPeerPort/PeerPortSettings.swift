package import HelioCore

/// How a ``PeerPort`` is set up.
package struct PeerPortSettings: Sendable {
    /// Addresses of this machine to be reached at; empty: all that reach further than the link, those that it gets later
    /// too, and loopback if there are no others.
    package var addresses: [IPAddress] = []
    /// Loopback too, where `addresses` are empty.
    package var includesLoopback = false
    /// Of UDP and TCP alike; 0 picks a free one.
    package var port: UInt16 = 0
    package var usesUDP = true
    /// Takes connections, and makes them where a peer waits for some (RFC 6544).
    package var usesTCP = true

    package var maximumPeers = 1024
    package var maximumConnections = 1024
    /// Of one peer, those that it made and those that were made for it.
    package var maximumConnectionsPerPeer = 8
    /// Of connections whose other end has shown nothing yet.
    package var maximumUnproven = 64
    /// So long may it take to show it.
    package var provingTimeout = Duration.seconds(10)
    /// A connection on which nothing was heard for so long has no use any more: ICE asks for consent every 5 s.
    package var idleTimeout = Duration.seconds(60)
    /// Bytes that wait to be written to one connection; what comes beyond is dropped, as a network does.
    package var maximumWaiting = 1 << 20
    /// TURN servers of one peer.
    package var maximumServersPerPeer = 8
    /// A file of certificates (PEM) of those whom TURN servers by TLS are believed by; `nil`: whom this machine trusts.
    package var authorities: String?
    /// How often the machine is asked for new addresses, where `addresses` are empty.
    package var watchInterval = Duration.seconds(2)
    /// What addresses the machine has: with those of loopback, or without where there are others.
    package var listAddresses: @Sendable (_ includingLoopback: Bool) throws -> [IPAddress] = {
        try HostAddresses.all(includingLoopback: $0)
    }
    /// Where names are asked for (RFC 6762 section 3).
    package var multicast = TransportAddress(.v4(0xE000_00FB), port: 5353)

    package init() {}
}
