/// The reason why a packet of a ``PeerPort`` was dropped.
package enum PeerPortDrop: String, CaseIterable, Hashable, Sendable {
    /// A packet that belongs to no protocol of WebRTC.
    case junk
    /// A packet that looks like STUN and is malformed.
    case malformedSTUN = "malformed-stun"
    /// A connectivity check with a user name that no peer of this port has.
    case unknownUser = "unknown-user"
    /// A STUN response whose request is unknown, or too old to be remembered.
    case unknownTransaction = "unknown-transaction"
    /// A packet from an address where no peer was verified.
    case stranger
    /// A peer claims an address where another peer was verified.
    case contestedAddress = "contested-address"
    /// A peer sends from an address without a socket, or on a connection that is closed.
    case noSocket = "no-socket"
    /// The system refused a UDP datagram: the address can't be reached, or datagrams are sent too fast.
    case refused
    /// A connection's queue was full: packets are sent faster than the connection carries them.
    case streamFull = "stream-full"
    /// A packet that does not fit the stream's framing.
    case oversized
    /// A connection beyond the limit for the port, for one peer, or for unauthenticated connections.
    case tooManyConnections = "too-many-connections"
    /// A connection whose remote end did not authenticate in time.
    case unproven
    /// An address of this machine beyond the limit.
    case tooManyAddresses = "too-many-addresses"
    /// A TURN server or a name to resolve beyond the limit.
    case tooManyRequests = "too-many-requests"
}
