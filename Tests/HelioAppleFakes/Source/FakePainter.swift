package import HelioAppleMedia
package import HelioCore

/// Paints test pictures of limited range into planes.
package final class FakePainter: TestPicturePainting {
    init() {}

    package func paint(_ parts: [TestPicturePart], size: PixelSize) -> FakePixels? {
        let pixels = FakePixels(size, .planes(SampleFormat(chroma: .yuv420, isFullRange: false)))
        for y in 0..<(size.height + 1) / 2 {
            (pixels.chroma + y * pixels.chromaStride).update(repeating: 128, count: size.width)
        }
        for part in parts {
            for y in part.rect.y..<part.rect.maxY {
                (pixels.first + y * pixels.firstStride + part.rect.x).update(
                    repeating: part.luma, count: part.rect.width)
            }
        }
        return pixels
    }
}
