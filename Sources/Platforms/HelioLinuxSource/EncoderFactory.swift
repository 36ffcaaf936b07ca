internal import HelioCore

enum EncoderFactory {
    /// Makes the encoder for a format.
    ///
    /// The automatic choice has the lowest latency: for H.264, x264, as it encodes only the changes; for H.265, a
    /// hardware encoder if one works, otherwise x265.
    ///
    /// - Parameters:
    ///   - format: its codec must be that of an encoder chosen by name; otherwise this throws `invalidArgument`.
    ///   - choice: automatic, or the name of an encoder in `EncoderCatalog.list`.
    static func make(
        format: VideoFormat, choice: CodecChoice = .automatic
    ) throws(HelioError) -> LinuxEncoder {
        switch choice {
        case .named(let name):
            guard try EncoderCatalog.codec(ofEncoder: name) == format.codec else {
                throw HelioError(.invalidArgument, "\(name) does not code \(format.codec.encodingName).")
            }
            guard let kind = FFmpegEncoderKind(name: name) else { return LinuxEncoder(try X264Encoder(format)) }
            return LinuxEncoder(try FFmpegEncoder(format, kind: kind))
        case .automatic where format.codec == .h265:
            for kind in EncoderCatalog.hardware where kind.codec == format.codec {
                if let encoder = try? FFmpegEncoder(format, kind: kind) { return LinuxEncoder(encoder) }
            }
        case .automatic, .software: break
        }
        switch format.codec {
        case .h264: return LinuxEncoder(try X264Encoder(format))
        case .h265: return LinuxEncoder(try FFmpegEncoder(format, kind: .x265))
        }
    }
}
