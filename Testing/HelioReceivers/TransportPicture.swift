/// A video access unit that was received in one PES packet.
package struct TransportPicture: Sendable, Hashable {
    /// The NAL units with start codes, unchanged from the PES packet.
    package var annexB: [UInt8]
    /// The PTS in ticks of 90 kHz, widened to 64 bits, so that it does not wrap around.
    package var presentation: Int64
    /// The DTS; the same as ``presentation`` if the stream has none.
    package var decode: Int64
    package var isKeyframe: Bool
}
