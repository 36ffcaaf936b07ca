internal import CLibYUV
package import HelioCore
internal import HelioWindow

/// Converts YCbCr to a window's pixels: 4 bytes per pixel, B, G, R and an unused byte.
package enum PictureConverter {
    /// Expands `rect` to the grid of the chroma samples, within the picture.
    package static func aligned(_ rect: PixelRect, in picture: DecodedPicture) -> PixelRect {
        let bounds = PixelRect(picture.size)
        let cut = rect.intersection(bounds)
        return picture.layout.planes == .i444 ? cut : cut.aligned(to: 2).intersection(bounds)
    }

    /// Converts the pixels of a rectangle.
    ///
    /// - Parameters:
    ///   - rect: a rectangle that `aligned` has returned.
    ///   - target: the memory for the rectangle's top left pixel; it must have space for all rows of `stride` bytes.
    ///   - usesVectors: false to run the portable code on any machine, for tests.
    package static func convert(
        _ picture: DecodedPicture, _ rect: PixelRect, to target: UnsafeMutablePointer<UInt8>, stride: Int,
        usesVectors: Bool = true
    ) {
        if rect.isEmpty { return }
        picture.read { convertSamples(picture, rect, to: target, stride: stride, usesVectors: usesVectors) }
    }

    private static func convertSamples(
        _ picture: DecodedPicture, _ rect: PixelRect, to target: UnsafeMutablePointer<UInt8>, stride: Int,
        usesVectors: Bool
    ) {
        guard let luma = picture.plane(0), let first = picture.plane(1) else { return }
        let planes = picture.layout.planes
        let shift = planes == .i444 ? 0 : 1
        let step = planes == .nv12 ? 2 : 1
        let offset = (rect.y >> shift) * picture.stride(1) + (rect.x >> shift) * step
        guard let second = planes == .nv12 ? first + 1 : picture.plane(2) else { return }
        var matrix = PictureColor.matrix(for: picture.description)
        // FFmpeg allocates both chroma planes with the same stride.
        var source = helio_rgb_source(
            y: luma + rect.y * picture.stride(0) + rect.x, cb: first + offset, cr: second + offset,
            y_stride: picture.stride(0), c_stride: picture.stride(1))
        helio_rgb_convert(
            &matrix, usesVectors ? helio_rgb_has_avx2() : 0, &source, Int32(shift), step, target, stride, rect.width,
            rect.height)
    }
}
