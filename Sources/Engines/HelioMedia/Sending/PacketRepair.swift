package import HelioCore

/// The way in which lost packets of a stream are repaired.
package enum PacketRepair: Sendable, Hashable {
    /// Packets are not repaired: only a keyframe repairs the picture.
    case none
    /// The encrypted packet is sent again (RFC 4585): encrypting it once more would reuse a nonce.
    case samePacket
    /// The payload is sent again in a retransmission stream (RFC 4588), with this payload type.
    case retransmissionStream(PayloadType)
}
