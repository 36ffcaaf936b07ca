private import CLibYUV
internal import HelioExtension

/// Scales pictures into a single buffer, which is reused for each picture.
struct FrameScaler {
    private let frame: PlanarFrame

    init(to size: PixelSize) { frame = PlanarFrame(size) }

    var size: PixelSize { frame.size }

    func scale(_ picture: PlanarFrame) -> PlanarFrame {
        let result = NV12Scale(
            picture.luma, picture.stride, picture.chroma, picture.stride, Int32(picture.size.width),
            Int32(picture.size.height), frame.luma, frame.stride, frame.chroma, frame.stride, Int32(size.width),
            Int32(size.height), kFilterBox)
        precondition(result == 0, "libyuv scales no picture of \(picture.size)")
        return frame
    }
}
