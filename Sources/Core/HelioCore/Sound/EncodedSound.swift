/// One packet of encoded sound, which becomes one RTP packet.
package struct EncodedSound: Sendable, Hashable {
    package var origin: SoundOrigin
    /// The settings of the encoding to which the packet belongs.
    package var encode: SoundEncode
    /// The RTP payload.
    package var payload: [UInt8]
    /// The first sample's time in sample frames at 48 kHz, widened to 64 bits; all encodings of one `SoundOrigin` share
    /// this clock.
    package var mediaTime: Int64
    /// The number of decoded samples of each channel, at 48 kHz.
    package var frames: Int
    /// The capture time of the first sample at the device, on the source's clock.
    package var captured: Instant
    /// True for the first packet after silence that was not sent; its RTP packet has the marker bit (RFC 3551 section
    /// 4.1).
    package var beginsTalk: Bool

    package init(
        origin: SoundOrigin = .system, encode: SoundEncode, payload: [UInt8], mediaTime: Int64, frames: Int,
        captured: Instant, beginsTalk: Bool = false
    ) {
        self.origin = origin
        self.encode = encode
        self.payload = payload
        self.mediaTime = mediaTime
        self.frames = frames
        self.captured = captured
        self.beginsTalk = beginsTalk
    }

    package var codec: SoundCodec { encode.codec }
}
