package import HelioCore

/// A packet of a codec that nothing here looks into, audio say: as it came, in the order of its coming.
package struct ReceivedPacket: Sendable {
    /// The whole packet.
    package var bytes: [UInt8]
    /// Where the payload lies in `bytes`; empty where the packet was padding alone.
    package var payload: Range<Int>
    package var payloadType: PayloadType
    package var sequence: ExtendedSequence
    /// In units of the codec's clock rate.
    package var timestamp: UInt32
    package var marker: Bool
    package var arrival: Instant
}
