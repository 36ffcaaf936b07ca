internal import HelioCore

/// The encoders that work on this machine: each is probed with a test picture.
enum EncoderCatalog {
    /// Lists every known encoder, the preferred ones first. Probes each with a test picture, which takes about 10 ms in
    /// total without hardware.
    static func list() -> [EncoderDescription] {
        let x264 = EncoderDescription(
            name: "x264", codec: .h264, isHardware: false, isUsable: true,
            reason: "software, ultrafast; codes only what changed")
        return [x264] + FFmpegEncoderKind.allCases.map(\.probed)
    }

    /// The hardware encoders that have encoded a test picture. They are probed once per process, as a failing probe may
    /// take long.
    static let hardware = FFmpegEncoderKind.allCases.filter { $0.isHardware && $0.probed.isUsable }
    private static let hasX265 = FFmpegEncoderKind.x265.probed.isUsable

    private static func canCode(_ codec: VideoCodec) -> Bool {
        codec == .h264 || hasX265 || hardware.contains { $0.codec == codec }
    }

    /// True if `EncoderFactory`'s automatic choice for the codec is a hardware encoder.
    static func codesByHardware(_ codec: VideoCodec) -> Bool {
        codec == .h265 && hardware.contains { $0.codec == codec }
    }

    /// Returns the codec of an encoder. Throws `invalidArgument`, with a list of the choices, if no encoder has that
    /// name.
    static func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        if name == "x264" { return .h264 }
        if let kind = FFmpegEncoderKind(name: name) { return kind.codec }
        let names = (["x264"] + FFmpegEncoderKind.allCases.map(\.name)).joined(separator: ", ")
        throw HelioError(
            .invalidArgument, "There is no encoder '\(name)'; there are: auto, software, \(names).")
    }

    /// Lists the codecs that this machine can encode, `first` first, for negotiation.
    static func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        [first] + VideoCodec.allCases.filter { $0 != first && canCode($0) }
    }
}
