package import HelioCore

/// One copy of a stream's packet, the first or a retransmission, as a transport-wide number stands for it.
package struct PacketCopy: Sendable, Hashable {
    /// The stream's, also where the copy leaves in its retransmission stream.
    package let ssrc: SSRC
    /// The packet's own number, also where the copy has another.
    package let sequence: ExtendedSequence
    /// The transport-wide number, of which the lower half is on the wire.
    package let number: UInt64

    package init(ssrc: SSRC, sequence: ExtendedSequence, number: UInt64) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.number = number
    }
}
