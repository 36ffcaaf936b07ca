package import HelioCore
package import HelioRTP

/// What restores lost packets of one stream from parity, by one of the codes.
package protocol ParityDecoding: Sendable {
    /// True once parity was seen; nothing is kept until then.
    var isActive: Bool { get }

    /// Takes a packet that was restored: it is to be handed in as one that came.
    mutating func poll() -> ParityDecoder.Restored?

    /// Takes a packet of the stream, received or restored; where it came as a retransmission, that.
    ///
    /// - Parameters:
    ///   - payload: the range of what the packet itself carried, without padding.
    ///   - type: the payload type of the packet itself.
    mutating func take(
        _ packet: [UInt8], _ header: RTPHeader, payload: Range<Int>, type: PayloadType, sequence: ExtendedSequence,
        ssrc: SSRC)

    /// Takes a parity packet.
    ///
    /// - Parameters:
    ///   - payload: the range of its payload.
    ///   - numbers: widens the sequence numbers of the stream.
    ///   - ssrc: the stream's.
    mutating func take(
        parity packet: [UInt8], payload: Range<Int>, numbers: SequenceExtender, ssrc: SSRC, now: Instant
    ) -> ParityDecoder.Outcome
}
