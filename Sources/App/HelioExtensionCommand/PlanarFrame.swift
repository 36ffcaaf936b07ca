internal import HelioExtension

/// An NV12 picture, as ReplayKit provides it: a plane of luma, and a plane of interleaved Cb and Cr at half the size.
/// The planes' memory is freed with the last reference to the frame.
final class PlanarFrame {
    private(set) var size: PixelSize
    let luma: UnsafeMutablePointer<UInt8>

    init(_ size: PixelSize) {
        self.size = size
        luma = .allocate(capacity: Self.byteCount(size))
        luma.initialize(repeating: 128, count: Self.byteCount(size))
    }

    deinit { luma.deallocate() }

    /// Swaps width and height; the memory is kept.
    func turn() { size = PixelSize(width: size.height, height: size.width) }

    var chroma: UnsafeMutablePointer<UInt8> { luma + size.width * size.height }
    var stride: Int32 { Int32(size.width) }

    private static func byteCount(_ size: PixelSize) -> Int { size.width * size.height * 3 / 2 }
}
