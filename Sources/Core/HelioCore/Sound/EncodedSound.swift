/// One packet of coded sound: what one RTP packet carries.
package struct EncodedSound: Sendable, Hashable {
    package var codec: SoundCodec
    /// The RTP payload.
    package var payload: [UInt8]
    /// The first sample's time in sample frames at the codec's RTP clock, widened to 64 bits.
    package var mediaTime: Int64
    /// The number of samples of each channel that it decodes to, at the codec's RTP clock.
    package var frames: Int
    /// When the first sample was heard by the device, on the source's clock.
    package var captured: Instant
    /// True for the first packet after silence that was not sent: RTP's marker bit (RFC 3551 section 4.1).
    package var beginsTalk: Bool

    package init(
        codec: SoundCodec, payload: [UInt8], mediaTime: Int64, frames: Int, captured: Instant, beginsTalk: Bool = false
    ) {
        self.codec = codec
        self.payload = payload
        self.mediaTime = mediaTime
        self.frames = frames
        self.captured = captured
        self.beginsTalk = beginsTalk
    }
}
