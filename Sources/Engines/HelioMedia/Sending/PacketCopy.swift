package import HelioCore

/// A transmission of a stream's packet, the first or a repeated one, identified by its transport-wide number.
package struct PacketCopy: Sendable, Hashable {
    /// The stream's SSRC, even if the copy is sent in the retransmission stream.
    package let ssrc: SSRC
    /// The packet's original number, even if the copy has another.
    package let sequence: ExtendedSequence
    /// The transport-wide number, whose low 16 bits are on the wire.
    package let number: UInt64

    package init(ssrc: SSRC, sequence: ExtendedSequence, number: UInt64) {
        self.ssrc = ssrc
        self.sequence = sequence
        self.number = number
    }
}
