import CoreVideo
import Foundation
package import HelioAppleMedia
package import HelioCore

/// Paints test pictures into Core Video's pixel buffers, as NV12 of limited range. It is only type-checked; no test
/// runs it.
package final class TestPicturePainter: TestPicturePainting {
    package init() {}

    package func paint(_ parts: [TestPicturePart], size: PixelSize) -> PixelBuffer? {
        var made: CVPixelBuffer?
        let surface = [kCVPixelBufferIOSurfacePropertiesKey: NSDictionary()] as CFDictionary
        _ = CVPixelBufferCreate(
            nil, size.width, size.height, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, surface, &made)
        guard let pixels = made, CVPixelBufferLockBaseAddress(pixels, []) == kCVReturnSuccess else { return nil }
        defer { _ = CVPixelBufferUnlockBaseAddress(pixels, []) }
        guard let luma = CVPixelBufferGetBaseAddressOfPlane(pixels, 0),
            let chroma = CVPixelBufferGetBaseAddressOfPlane(pixels, 1)
        else { return nil }
        let stride = CVPixelBufferGetBytesPerRowOfPlane(pixels, 0)
        memset(chroma, 128, CVPixelBufferGetBytesPerRowOfPlane(pixels, 1) * CVPixelBufferGetHeightOfPlane(pixels, 1))
        for part in parts {
            for y in part.rect.y..<part.rect.maxY {
                memset(luma + y * stride + part.rect.x, Int32(part.luma), part.rect.width)
            }
        }
        return PixelBuffer(pixels)
    }
}
