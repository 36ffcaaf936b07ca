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

    /// The side of the squares that are compared and copied as a whole, in pixels.
    private static let tileWidth = 64, tileHeight = 16

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
            repeatEdges(whole)
            return nil
        }
        for part in damage ?? [whole] {
            let part = part.intersection(whole)
            if !part.isEmpty { compare(part, source, sourceStride, pixels, &changed) }
        }
        return changed
    }

    /// Copies the tiles of a part that differ.
    private func compare(
        _ part: PixelRect, _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ pixels: UnsafeMutablePointer<UInt8>,
        _ changed: inout Region
    ) {
        var y = part.y / Self.tileHeight * Self.tileHeight
        while y < part.maxY {
            let (top, bottom) = (max(y, part.y), min(y + Self.tileHeight, part.maxY))
            var run: PixelRect?
            var x = part.x / Self.tileWidth * Self.tileWidth
            while x < part.maxX {
                let (left, right) = (max(x, part.x), min(x + Self.tileWidth, part.maxX))
                let tile = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
                if copyIfOther(tile, source, sourceStride, pixels) {
                    run = run.map { $0.union(tile) } ?? tile
                } else if let whole = run {
                    changed.add(whole)
                    run = nil
                }
                x += Self.tileWidth
            }
            if let run { changed.add(run) }
            y += Self.tileHeight
        }
    }

    private func copyIfOther(
        _ tile: PixelRect, _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ pixels: UnsafeMutablePointer<UInt8>
    ) -> Bool {
        let count = tile.width * 4
        var y = tile.y
        while y < tile.maxY,
            memcmp(pixels + y * stride + tile.x * 4, source + y * sourceStride + tile.x * 4, count) == 0
        {
            y += 1
        }
        if y == tile.maxY { return false }
        while y < tile.maxY {
            memcpy(pixels + y * stride + tile.x * 4, source + y * sourceStride + tile.x * 4, count)
            y += 1
        }
        repeatEdges(tile)
        return true
    }

    /// Repeats the last column and row of an odd side, where a changed part touches it.
    private func repeatEdges(_ part: PixelRect) {
        guard let pixels else { return }
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
