/// Why a packet of a ``PeerPort`` was thrown away.
package enum PeerPortDrop: String, CaseIterable, Hashable, Sendable {
    /// No protocol of WebRTC.
    case junk
    /// Looks like STUN and is broken.
    case malformedSTUN = "malformed-stun"
    /// A check for nobody here.
    case unknownUser = "unknown-user"
    /// An answer to nothing that was asked from here, or too late.
    case unknownTransaction = "unknown-transaction"
    /// From where no peer has proven to be.
    case stranger
    /// A peer claims an address that another one has proven to be at.
    case contestedAddress = "contested-address"
    /// A peer sends from where there is no socket, or no connection any more.
    case noSocket = "no-socket"
    /// The system does not take a datagram of UDP: nothing goes there from here, or not as fast.
    case refused
    /// A connection does not take packets as fast as they are sent.
    case streamFull = "stream-full"
    /// A packet that does not fit the stream's framing.
    case oversized
    /// One connection more than is allowed, of all or of one peer.
    case tooManyConnections = "too-many-connections"
    /// A connection whose other end did not show in time whose it is.
    case unproven
    /// One address of this machine more than is used.
    case tooManyAddresses = "too-many-addresses"
    /// One TURN server or name more than is allowed.
    case tooManyRequests = "too-many-requests"
}
