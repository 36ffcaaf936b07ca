import CFFmpeg
import HelioCore

/// The encoders of FFmpeg that Heliograph uses.
enum FFmpegEncoderKind: String, CaseIterable, Sendable {
    case x265 = "libx265"
    case h264VAAPI = "h264_vaapi"
    case h265VAAPI = "hevc_vaapi"
    case h264NVENC = "h264_nvenc"
    case h265NVENC = "hevc_nvenc"

    /// Finds an encoder by its name in FFmpeg (`libx265`) or in Heliograph (`x265`).
    init?(name: String) {
        guard let kind = Self.allCases.first(where: { $0.name == name || $0.rawValue == name }) else { return nil }
        self = kind
    }

    var codec: VideoCodec {
        switch self {
        case .h264VAAPI, .h264NVENC: .h264
        case .x265, .h265VAAPI, .h265NVENC: .h265
        }
    }

    var isHardware: Bool { self != .x265 }
    var usesVAAPI: Bool { self == .h264VAAPI || self == .h265VAAPI }
    var usesNVENC: Bool { self == .h264NVENC || self == .h265NVENC }
    /// The encoder's name in Heliograph, for choosing the encoder and for display.
    var name: String { self == .x265 ? "x265" : rawValue }

    /// Returns the format in which the encoder accepts pictures from system memory. Hardware encoders accept 4:2:0 as
    /// NV12, which is the layout of `PlanarPicture`.
    func pixelFormat(of chroma: ChromaSampling) -> AVPixelFormat {
        switch chroma {
        case .yuv420: isHardware ? AV_PIX_FMT_NV12 : AV_PIX_FMT_YUV420P
        case .yuv444: AV_PIX_FMT_YUV444P
        }
    }

    /// The encoder's description. Opens the encoder and encodes a small test picture; if that fails, the description
    /// contains the reason.
    var probed: EncoderDescription {
        let format = VideoFormat(codec: codec, size: PixelSize(width: 640, height: 368))
        let problem: String?
        do {
            let encoder = try FFmpegEncoder(format, kind: self)
            let picture = try PlanarPicture(size: format.size, chroma: format.chroma, color: format.color)
            var isCoded = false
            try encoder.encode(
                picture, damage: Region(PixelRect(format.size)), request: EncodeRequest(keyframe: true),
                timing: FrameTiming(damaged: .zero, captured: .zero)
            ) { isCoded = $0.isKeyframe && !$0.annexB.isEmpty }
            problem = isCoded ? nil : "\(name) gives no keyframe of a test picture."
        } catch {
            // FFmpeg's errors about missing hardware, such as "Operation not permitted", mislead.
            problem =
                isHardware
                ? "it failed when tried: the hardware, its driver or the permission to use it is missing"
                : error.message
        }
        return EncoderDescription(
            name: name, codec: codec, isHardware: isHardware, isUsable: problem == nil,
            reason: problem ?? (isHardware ? "hardware" : "software, ultrafast; slow at 1080p on a small machine"))
    }
}
