internal import HelioCore

/// A block of 4-byte pixels.
final class PixelImage {
    let size: PixelSize
    let stride: Int
    let pixels: UnsafeMutablePointer<UInt8>

    /// Allocates two lines more than asked for: libyuv's scaler may read, and not use, the bytes behind the last line.
    init(size: PixelSize) {
        self.size = size
        stride = (size.width * 4 + 63) & ~63
        let bytes = stride * (size.height + 2) + 64
        pixels = .allocate(capacity: bytes)
        pixels.initialize(repeating: 0, count: bytes)
    }

    deinit { pixels.deallocate() }

    func at(_ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> { pixels + y * stride + x * 4 }
}
