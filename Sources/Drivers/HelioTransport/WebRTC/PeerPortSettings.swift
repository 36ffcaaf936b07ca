package import HelioCore

/// How a ``PeerPort`` is set up.
package struct PeerPortSettings: Sendable {
    /// Addresses of this machine to be reached at; empty: all that reach further than the link, as they are when the
    /// port is opened, and loopback if there are no others.
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
    /// Where names are asked for (RFC 6762 section 3).
    package var multicast = TransportAddress(.v4(0xE000_00FB), port: 5353)

    package init() {}
}
