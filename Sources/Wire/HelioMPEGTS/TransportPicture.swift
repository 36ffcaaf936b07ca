/// An access unit of video that was read.
package struct TransportPicture: Sendable, Hashable {
    /// NAL units behind start codes, as they came.
    package var annexB: [UInt8]
    /// The PTS in ticks of 90 kHz, widened: all of a stream's times go on where 33 bits begin anew.
    package var presentation: Int64
    /// The DTS; the same as ``presentation`` where none was told.
    package var decode: Int64
    package var isKeyframe: Bool
}
