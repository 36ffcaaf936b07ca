internal import CFFmpeg
internal import HelioCore
internal import HelioWindow

/// The layout of a picture's samples in memory, and the picture's size and colour.
struct SampleLayout: Sendable, Hashable {
    enum Planes: Sendable, Hashable {
        /// Three planes, chroma at half size in both directions.
        case i420
        /// Three planes of full size.
        case i444
        /// A luma plane, then a plane of interleaved Cb and Cr at half size: the layout of hardware decoders.
        case nv12
    }

    let planes: Planes
    let description: PictureDescription

    /// Reads the layout of a frame; `nil` if it can't be shown, such as 10 bits, 4:2:2 or RGB.
    init?(of frame: AVFrame) {
        let size = PixelSize(width: Int(frame.width), height: Int(frame.height))
        guard size.width > 0, size.height > 0 else { return nil }
        var isFullRange = frame.color_range == AVCOL_RANGE_JPEG
        let chroma: ChromaSampling
        switch AVPixelFormat(frame.format) {
        case AV_PIX_FMT_YUV420P: (chroma, planes) = (.yuv420, .i420)
        case AV_PIX_FMT_YUVJ420P: (chroma, planes, isFullRange) = (.yuv420, .i420, true)
        case AV_PIX_FMT_YUV444P: (chroma, planes) = (.yuv444, .i444)
        case AV_PIX_FMT_YUVJ444P: (chroma, planes, isFullRange) = (.yuv444, .i444, true)
        case AV_PIX_FMT_NV12: (chroma, planes) = (.yuv420, .nv12)
        default: return nil
        }
        let color = ColorDescription(
            primaries: UInt8(truncatingIfNeeded: frame.color_primaries.rawValue),
            transfer: UInt8(truncatingIfNeeded: frame.color_trc.rawValue),
            matrix: UInt8(truncatingIfNeeded: frame.colorspace.rawValue), isFullRange: isFullRange)
        guard PictureColor.weights(of: color, size: size) != nil else { return nil }
        description = PictureDescription(size: size, chroma: chroma, color: color)
    }
}
