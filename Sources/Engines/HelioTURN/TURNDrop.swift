/// A reason for dropping something that was received, or was to be sent.
package enum TURNDrop: String, CaseIterable, Hashable, Sendable {
    // From the server

    /// A datagram that is neither a STUN message nor channel data.
    case notTURN = "not-turn"
    case malformed
    /// A request, or an indication of anything but data.
    case unexpected
    /// An indication with attributes that must be understood and are not.
    case unknownAttribute = "unknown-attribute"
    /// An answer to no request of ours, or too late.
    case unknownTransaction = "unknown-transaction"
    /// An answer without an integrity code, or with one of another password.
    case forged
    /// Data on a channel that is not bound.
    case unknownChannel = "unknown-channel"
    /// Data of a peer that may not send.
    case unknownPeer = "unknown-peer"

    // To a peer

    /// Data sent before there is a relayed address, or after.
    case noAllocation = "no-allocation"
    /// The peer's address is not of the relayed one's family, or not one of UDP.
    case wrongFamily = "wrong-family"
    case tooLong = "too-long"
    /// One packet or peer more than is kept.
    case tooMany = "too-many"
    /// The server does not relay to this peer, or did not say that it does.
    case refused
}
