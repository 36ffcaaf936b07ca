import CFFmpeg
import HelioCore

/// The encoders of FFmpeg that are of use here.
enum FFmpegEncoderKind: String, CaseIterable, Sendable {
    case x265 = "libx265"
    case h264VAAPI = "h264_vaapi"
    case h265VAAPI = "hevc_vaapi"
    case h264NVENC = "h264_nvenc"
    case h265NVENC = "hevc_nvenc"

    var codec: VideoCodec {
        switch self {
        case .h264VAAPI, .h264NVENC: .h264
        case .x265, .h265VAAPI, .h265NVENC: .h265
        }
    }

    var isHardware: Bool { self != .x265 }
    var usesVAAPI: Bool { self == .h264VAAPI || self == .h265VAAPI }
    /// For `--encoder` and for people.
    var name: String { self == .x265 ? "x265" : rawValue }

    /// Opens the encoder for a small picture and says how that went.
    var probed: EncoderDescription {
        let format = VideoFormat(codec: codec, size: PixelSize(width: 640, height: 368))
        let problem: String?
        do {
            _ = try FFmpegEncoder(format, kind: self)
            problem = nil
        } catch {
            problem = error.message
        }
        return EncoderDescription(
            name: name, codec: codec, isHardware: isHardware, isUsable: problem == nil,
            reason: problem ?? (isHardware ? "hardware" : "software, ultrafast; slow at 1080p on a small machine"))
    }
}
