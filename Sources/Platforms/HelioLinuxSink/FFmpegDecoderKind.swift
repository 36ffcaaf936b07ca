internal import CFFmpeg

/// The software or hardware with which an FFmpeg decoder decodes pictures.
package enum FFmpegDecoderKind: String, CaseIterable, Sendable {
    case software
    case vaapi
    /// NVIDIA's decoding engine, used through FFmpeg's device `cuda`.
    case nvdec

    /// The hardware of this machine, in the order in which it is preferred.
    static let hardware: [FFmpegDecoderKind] = [.vaapi, .nvdec]

    /// The name for display.
    var name: String {
        switch self {
        case .software: "software"
        case .vaapi: "VA-API"
        case .nvdec: "NVDEC"
        }
    }

    /// FFmpeg's type of the device, and the format of pictures in its memory; `nil` for software.
    var device: (type: AVHWDeviceType, format: AVPixelFormat)? {
        switch self {
        case .software: nil
        case .vaapi: (AV_HWDEVICE_TYPE_VAAPI, AV_PIX_FMT_VAAPI)
        case .nvdec: (AV_HWDEVICE_TYPE_CUDA, AV_PIX_FMT_CUDA)
        }
    }
}
