package import HelioCore
package import HelioRTP

/// Restores lost packets of one stream from parity; each code has an implementation.
package protocol ParityDecoding: Sendable {
    /// True once parity was received; nothing is kept until then.
    var isActive: Bool { get }

    /// Returns the next restored packet, to be processed like a received one; `nil` if there is none.
    mutating func poll() -> ParityDecoder.Restored?

    /// Handles a packet of the stream, received or restored; a retransmission is passed as it arrived.
    ///
    /// - Parameters:
    ///   - payload: the range of the original payload, without padding.
    ///   - type: the payload type of the original packet.
    mutating func take(
        _ packet: [UInt8], _ header: RTPHeader, payload: Range<Int>, type: PayloadType, sequence: ExtendedSequence,
        ssrc: SSRC)

    /// Handles a parity packet: restores packets that it protects, or keeps it until that is possible.
    ///
    /// - Parameters:
    ///   - payload: the range of the parity packet's payload.
    ///   - numbers: the extender of the stream's sequence numbers.
    ///   - ssrc: the stream's SSRC.
    mutating func take(
        parity packet: [UInt8], payload: Range<Int>, numbers: SequenceExtender, ssrc: SSRC, now: Instant
    ) -> ParityDecoder.Outcome
}
