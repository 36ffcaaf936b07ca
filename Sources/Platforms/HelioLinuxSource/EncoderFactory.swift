package import HelioCore

/// Makes the encoder for a format.
package enum EncoderFactory {
    /// - Parameters:
    ///   - format: its codec rules; an encoder of the other codec is refused.
    ///   - name: one of `EncoderCatalog.list`'s names. `nil` takes the lowest latency: x264 for H.264, for it
    ///     codes only what changed; for H.265 hardware where there is any, else x265.
    package static func make(format: VideoFormat, preferring name: String? = nil) throws(HelioError) -> LinuxEncoder {
        if let name {
            if name == "x264" { return LinuxEncoder(try X264Encoder(format)) }
            guard let kind = FFmpegEncoderKind.allCases.first(where: { $0.name == name || $0.rawValue == name }) else {
                let names = (["x264"] + FFmpegEncoderKind.allCases.map(\.name)).joined(separator: ", ")
                throw HelioError(.invalidArgument, "There is no encoder '\(name)'; there are: \(names).")
            }
            guard kind.codec == format.codec else {
                throw HelioError(.invalidArgument, "\(kind.name) does not code \(format.codec.encodingName).")
            }
            return LinuxEncoder(try FFmpegEncoder(format, kind: kind))
        }
        if format.codec == .h264 { return LinuxEncoder(try X264Encoder(format)) }
        for kind in [FFmpegEncoderKind.h265VAAPI, .h265NVENC] {
            if let encoder = try? FFmpegEncoder(format, kind: kind) { return LinuxEncoder(encoder) }
        }
        return LinuxEncoder(try FFmpegEncoder(format, kind: .x265))
    }
}
