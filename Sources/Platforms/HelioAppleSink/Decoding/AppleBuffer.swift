package import CoreVideo
package import HelioAppleMedia
package import HelioCore

/// A decoded picture in VideoToolbox's own memory. It is only type-checked; no test runs it.
///
/// `@unchecked Sendable`: no code writes to the buffer after it was decoded.
package final class AppleBuffer: PictureBuffer, @unchecked Sendable {
    package let pixels: CVPixelBuffer

    package init(_ pixels: CVPixelBuffer) { self.pixels = pixels }

    package var size: PixelSize {
        PixelSize(width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    }

    package var samples: SampleFormat? { SampleFormat(code: CVPixelBufferGetPixelFormatType(pixels)) }

    package func meanLuma(everyRow step: Int) -> Double {
        guard CVPixelBufferLockBaseAddress(pixels, .readOnly) == kCVReturnSuccess else { return 0 }
        defer { _ = CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
        guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, 0), size.area > 0 else { return 0 }
        let (width, stride) = (size.width, CVPixelBufferGetBytesPerRowOfPlane(pixels, 0))
        var (sum, rows) = (0, 0)
        for row in Swift.stride(from: 0, to: size.height, by: max(1, step)) {
            for sample in UnsafeRawBufferPointer(start: base + row * stride, count: width) { sum += Int(sample) }
            rows += 1
        }
        return Double(sum) / Double(rows * width)
    }
}
