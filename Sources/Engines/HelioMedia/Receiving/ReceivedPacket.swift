package import HelioCore

/// A packet of a codec that is not parsed here, such as audio: unchanged, in order of arrival.
package struct ReceivedPacket: Sendable {
    /// The whole packet, with its RTP header.
    package var bytes: [UInt8]
    /// The range of the payload in `bytes`; empty if the packet was padding alone.
    package var payload: Range<Int>
    package var payloadType: PayloadType
    package var sequence: ExtendedSequence
    /// The RTP timestamp, in units of the codec's clock rate.
    package var timestamp: UInt32
    package var marker: Bool
    package var arrival: Instant
}
