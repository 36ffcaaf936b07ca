/// An encoder of this machine.
package struct EncoderDescription: Sendable, Hashable {
    /// The name, as `--encoder` takes it: 'x264', 'h264_vaapi'.
    package var name: String
    package var codec: VideoCodec
    package var isHardware: Bool
    package var isUsable: Bool
    /// The reason that it is not usable, or what it is; a sentence for people.
    package var reason: String

    package init(name: String, codec: VideoCodec, isHardware: Bool, isUsable: Bool, reason: String) {
        self.name = name
        self.codec = codec
        self.isHardware = isHardware
        self.isUsable = isUsable
        self.reason = reason
    }
}
