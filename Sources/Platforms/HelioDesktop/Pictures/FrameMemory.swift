import Glibc
package import HelioCore

/// The newest picture of a stream, copied out of the compositor's buffers, with what has changed.
///
/// Rows are compared while they are copied, as some compositors tell no damage and others too much: a picture without a
/// change costs the comparison, and wakes nobody.
package struct FrameMemory: ~Copyable {
    /// The size of the compositor's picture.
    package private(set) var size = PixelSize(width: 0, height: 0)
    /// True if pixels are R, G, B, X bytes; otherwise they are B, G, R, X.
    package private(set) var isRGB = false
    /// The pixels, in rows of `stride` bytes; both sides are even, the last column or row of an odd side is repeated.
    package private(set) var pixels: UnsafeMutablePointer<UInt8>?

    package init() {}

    deinit { pixels?.deallocate() }

    package var stride: Int { size.even.width * 4 }

    /// Copies a picture; returns what has changed, or `nil` for all, because the size or format is another.
    ///
    /// - Parameters:
    ///   - source: the first pixel.
    ///   - sourceStride: the distance of rows, in bytes.
    ///   - damage: the parts that may have changed, as the compositor says; `nil` if it does not say.
    package mutating func update(
        from source: UnsafePointer<UInt8>, stride sourceStride: Int, size: PixelSize, isRGB: Bool, damage: [PixelRect]?
    ) -> Region? {
        let isOther = size != self.size || isRGB != self.isRGB || pixels == nil
        if isOther {
            pixels?.deallocate()
            self.size = size
            self.isRGB = isRGB
            pixels = .allocate(capacity: stride * size.even.height)
            pixels?.initialize(repeating: 0, count: stride * size.even.height)
        }
        guard let pixels else { return nil }
        let whole = PixelRect(size)
        var changed = Region()
        if isOther {
            for y in 0..<size.height {
                (pixels + y * stride).update(from: source + y * sourceStride, count: size.width * 4)
            }
            Self.repeatEdges(whole, of: size, pixels, stride)
            return nil
        }
        let (stride, size) = (stride, size)
        for part in damage ?? [whole] {
            TileComparison.compare(
                part.intersection(whole), of: TileComparison.Picture(source, stride: sourceStride),
                with: TileComparison.Picture(pixels, stride: stride), addingTo: &changed
            ) { tile, row in
                for y in row..<tile.maxY {
                    memcpy(pixels + y * stride + tile.x * 4, source + y * sourceStride + tile.x * 4, tile.width * 4)
                }
                Self.repeatEdges(tile, of: size, pixels, stride)
            }
        }
        return changed
    }

    /// Repeats the last column and row of an odd side, where a changed part touches it.
    private static func repeatEdges(
        _ part: PixelRect, of size: PixelSize, _ pixels: UnsafeMutablePointer<UInt8>, _ stride: Int
    ) {
        let even = size.even
        if even.width > size.width, part.maxX == size.width {
            for y in part.y..<part.maxY {
                let last = pixels + y * stride + (size.width - 1) * 4
                memcpy(last + 4, last, 4)
            }
        }
        if even.height > size.height, part.maxY == size.height {
            let last = pixels + (size.height - 1) * stride
            memcpy(last + stride, last, stride)
        }
    }
}
