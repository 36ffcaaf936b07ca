package import HelioCore

/// The way in which lost packets of a stream are repaired.
package enum PacketRepair: Sendable, Hashable {
    /// Not at all: a keyframe mends the picture.
    case none
    /// The packet goes again as it was encrypted (RFC 4585): encrypted once more it would use a nonce twice.
    case samePacket
    /// The payload goes again in a retransmission stream (RFC 4588), with this payload type.
    case retransmissionStream(PayloadType)
}
