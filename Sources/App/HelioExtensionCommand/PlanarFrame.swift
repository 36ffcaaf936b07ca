internal import HelioExtension

/// A picture of NV12, as ReplayKit gives it: a plane of luma, and one of Cb and Cr by turns at half the size. Its memory
/// is its own, and given back with the last reference.
final class PlanarFrame {
    private(set) var size: PixelSize
    let luma: UnsafeMutablePointer<UInt8>

    init(_ size: PixelSize) {
        self.size = size
        luma = .allocate(capacity: Self.byteCount(size))
        luma.initialize(repeating: 128, count: Self.byteCount(size))
    }

    deinit { luma.deallocate() }

    /// Takes as many bytes for a picture of the other orientation.
    func turn() { size = PixelSize(width: size.height, height: size.width) }

    var chroma: UnsafeMutablePointer<UInt8> { luma + size.width * size.height }
    var stride: Int32 { Int32(size.width) }

    private static func byteCount(_ size: PixelSize) -> Int { size.width * size.height * 3 / 2 }
}
