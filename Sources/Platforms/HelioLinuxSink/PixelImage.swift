internal import HelioCore

/// An image of 4-byte pixels, with lines aligned to 64 bytes.
final class PixelImage {
    let size: PixelSize
    let stride: Int
    let pixels: UnsafeMutablePointer<UInt8>

    /// Allocates two extra lines: libyuv's scaler may read bytes after the last line, though it does not use them.
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
