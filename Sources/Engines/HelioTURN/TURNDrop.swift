/// The reason why a received message, or data to be sent, was dropped.
package enum TURNDrop: String, CaseIterable, Hashable, Sendable {
    // From the server

    /// A datagram that is neither a STUN message nor channel data.
    case notTURN = "not-turn"
    case malformed
    /// A request, or an indication of anything but data.
    case unexpected
    /// An indication with unknown comprehension-required attributes.
    case unknownAttribute = "unknown-attribute"
    /// An answer that matches no pending request, or comes too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer without an integrity code, or with one of another password.
    case forged
    /// Data on a channel that is not bound.
    case unknownChannel = "unknown-channel"
    /// Data of a peer without permission to send.
    case unknownPeer = "unknown-peer"

    // To a peer

    /// Data sent before there is a relayed address, or after it has ended.
    case noAllocation = "no-allocation"
    /// The peer's address has another family than the relayed address, or another transport than UDP.
    case wrongFamily = "wrong-family"
    case tooLong = "too-long"
    /// A packet or peer beyond the limit.
    case tooMany = "too-many"
    /// The server has refused to relay to this peer, or has not confirmed it.
    case refused
}
