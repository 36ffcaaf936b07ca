/// An encoder of this machine.
package struct EncoderDescription: Sendable, Hashable {
    /// The name, as passed to `--encoder`: 'x264', 'h264_vaapi'.
    package var name: String
    package var codec: VideoCodec
    package var isHardware: Bool
    package var isUsable: Bool
    /// The reason why the encoder is not usable, or its description; a sentence for people.
    package var reason: String

    package init(name: String, codec: VideoCodec, isHardware: Bool, isUsable: Bool, reason: String) {
        self.name = name
        self.codec = codec
        self.isHardware = isHardware
        self.isUsable = isUsable
        self.reason = reason
    }
}
