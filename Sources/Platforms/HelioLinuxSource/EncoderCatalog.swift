internal import HelioCore

/// The encoders that work here, found by trying and not by guessing.
enum EncoderCatalog {
    /// Lists every known encoder, the preferred ones first. Lets each code a picture (some 10 ms for all without
    /// hardware).
    static func list() -> [EncoderDescription] {
        let x264 = EncoderDescription(
            name: "x264", codec: .h264, isHardware: false, isUsable: true,
            reason: "software, ultrafast; codes only what changed")
        return [x264] + FFmpegEncoderKind.allCases.map(\.probed)
    }

    /// The hardware encoders that have coded a test picture. They are tried once, as they may take their time to fail.
    static let hardware = FFmpegEncoderKind.allCases.filter { $0.isHardware && $0.probed.isUsable }
    private static let hasX265 = FFmpegEncoderKind.x265.probed.isUsable

    private static func canCode(_ codec: VideoCodec) -> Bool {
        codec == .h264 || hasX265 || hardware.contains { $0.codec == codec }
    }

    /// True where hardware codes it that `EncoderFactory` chooses by itself.
    static func codesByHardware(_ codec: VideoCodec) -> Bool {
        codec == .h265 && hardware.contains { $0.codec == codec }
    }

    /// The codec of an encoder. Throws `invalidArgument`, naming the choices, where there is none of that name.
    static func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        if name == "x264" { return .h264 }
        if let kind = FFmpegEncoderKind(name: name) { return kind.codec }
        let names = (["x264"] + FFmpegEncoderKind.allCases.map(\.name)).joined(separator: ", ")
        throw HelioError(
            .invalidArgument, "There is no encoder '\(name)'; there are: auto, software, \(names).")
    }

    /// The codecs that this machine can code, `first` first, for negotiation.
    static func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        [first] + VideoCodec.allCases.filter { $0 != first && canCode($0) }
    }
}
