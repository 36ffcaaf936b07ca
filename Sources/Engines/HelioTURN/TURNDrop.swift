/// The reason for dropping a received message or outgoing data.
package enum TURNDrop: String, CaseIterable, Hashable, Sendable {
    // Messages from the server.

    /// A datagram that is neither a STUN message nor channel data.
    case notTURN = "not-turn"
    case malformed
    /// A request, or an indication other than Data.
    case unexpected
    /// An indication with unknown comprehension-required attributes.
    case unknownAttribute = "unknown-attribute"
    /// An answer that matches no pending request, or arrives too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer without a valid MESSAGE-INTEGRITY.
    case forged
    /// Data on a channel that is not bound.
    case unknownChannel = "unknown-channel"
    /// Data from a peer without a permission.
    case unknownPeer = "unknown-peer"

    // Data to a peer.

    /// Data without an allocation.
    case noAllocation = "no-allocation"
    /// The peer's address has another family than the relayed address, or its transport is not UDP.
    case wrongFamily = "wrong-family"
    case tooLong = "too-long"
    /// A packet or permission beyond the limit.
    case tooMany = "too-many"
    /// The server has refused the permission for this peer, or has not answered the request.
    case refused
}
