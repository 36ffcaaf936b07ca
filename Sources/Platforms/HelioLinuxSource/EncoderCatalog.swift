package import HelioCore

/// A way to code video on this machine.
package struct EncoderDescription: Sendable, Hashable {
    /// As `--encoder` takes it: 'x264', 'h264_vaapi'.
    package var name: String
    package var codec: VideoCodec
    package var isHardware: Bool
    package var isUsable: Bool
    /// Why it is not usable, or what it is; a sentence for people.
    package var reason: String
}

/// What can code video here, tried out and not guessed.
package enum EncoderCatalog {
    /// Every known encoder, the preferred ones first. Opens each for a moment (some 10 ms for all).
    package static func list() -> [EncoderDescription] {
        let x264 = EncoderDescription(
            name: "x264", codec: .h264, isHardware: false, isUsable: true,
            reason: "software, ultrafast; codes only what changed")
        return [x264] + FFmpegEncoderKind.allCases.map(\.probed)
    }

    /// Tries no more than it takes to find one: hardware may need its time to say no.
    private static func canCode(_ codec: VideoCodec) -> Bool {
        codec == .h264 || FFmpegEncoderKind.allCases.contains { $0.codec == codec && $0.probed.isUsable }
    }

    /// The codecs that this machine can code, `first` first: what is negotiated with.
    package static func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        [first] + VideoCodec.allCases.filter { $0 != first && canCode($0) }
    }
}
