package import HelioCore

/// How packets of a stream that got lost on the way are made up for.
package enum PacketRepair: Sendable, Hashable {
    /// Not at all: a keyframe mends the picture.
    case none
    /// The packet goes again as it was protected (RFC 4585): sealed once more it would use a nonce twice.
    case samePacket
    /// Its payload goes again in a stream of its own (RFC 4588), by this payload type.
    case retransmissionStream(PayloadType)
}
