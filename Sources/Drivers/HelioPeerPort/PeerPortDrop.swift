/// The reason why a packet of a ``PeerPort`` was dropped.
package enum PeerPortDrop: String, CaseIterable, Hashable, Sendable {
    /// A packet that belongs to no protocol of WebRTC.
    case junk
    /// A packet that looks like STUN and is malformed.
    case malformedSTUN = "malformed-stun"
    /// A connectivity check for no peer of this port.
    case unknownUser = "unknown-user"
    /// A STUN response to no request of this port, or one that came too late.
    case unknownTransaction = "unknown-transaction"
    /// A packet from an address where no peer was verified.
    case stranger
    /// A peer claims an address where another one was verified.
    case contestedAddress = "contested-address"
    /// A peer sends from an address without a socket, or on a connection that is closed.
    case noSocket = "no-socket"
    /// The system refused a UDP datagram: the address can't be reached, or datagrams are sent too fast.
    case refused
    /// A connection can't take packets as fast as they are sent.
    case streamFull = "stream-full"
    /// A packet that does not fit the stream's framing.
    case oversized
    /// One connection more than is allowed, in total, of one peer, or before authentication.
    case tooManyConnections = "too-many-connections"
    /// A connection whose remote end did not authenticate in time.
    case unproven
    /// One address of this machine more than the limit.
    case tooManyAddresses = "too-many-addresses"
    /// One TURN server or name more than the limit.
    case tooManyRequests = "too-many-requests"
}
