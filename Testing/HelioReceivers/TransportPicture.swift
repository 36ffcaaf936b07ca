/// A received video access unit.
package struct TransportPicture: Sendable, Hashable {
    /// NAL units with start codes, unchanged.
    package var annexB: [UInt8]
    /// The PTS in ticks of 90 kHz, widened to 64 bits, so that it does not wrap around.
    package var presentation: Int64
    /// The DTS; the same as ``presentation`` if the stream has none.
    package var decode: Int64
    package var isKeyframe: Bool
}
