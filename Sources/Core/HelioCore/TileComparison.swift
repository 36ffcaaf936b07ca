/// The comparison of a picture with the one before it, in tiles.
///
/// Compositors tell too much damage, or none: a tile in which nothing differs is not converted, coded or sent. A tile
/// that differs costs what lies above its first differing row; what moves as a whole costs next to nothing.
package enum TileComparison {
    /// The pixels of a picture in memory.
    package struct Picture {
        package let pixels: UnsafeRawPointer
        /// The distance of rows in bytes.
        package let stride: Int

        package init(_ pixels: UnsafeRawPointer, stride: Int) { (self.pixels, self.stride) = (pixels, stride) }
    }

    /// The sides of a tile in pixels: as high as a macroblock.
    package static let width = 64, height = 16

    /// Adds the tiles that differ to a region, those side by side as one rectangle.
    ///
    /// - Parameters:
    ///   - part: the part to compare, inside both pictures; tiles on its edges are cut.
    ///   - handle: called with each tile that differs, and its first row that does.
    package static func compare(
        _ part: PixelRect, of newer: Picture, with older: Picture, bytesPerPixel: Int = 4,
        addingTo changed: inout Region, _ handle: (PixelRect, Int) -> Void = { _, _ in }
    ) {
        var y = part.y
        while y < part.maxY {
            let bottom = min(y / height * height + height, part.maxY)
            var run = PixelRect(x: 0, y: 0, width: 0, height: 0)
            var x = part.x
            while x < part.maxX {
                let right = min(x / width * width + width, part.maxX)
                let tile = PixelRect(x: x, y: y, width: right - x, height: bottom - y)
                if let row = firstDifference(in: tile, newer, older, bytesPerPixel) {
                    handle(tile, row)
                    run = run.union(tile)
                } else {
                    changed.add(run)
                    run = PixelRect(x: 0, y: 0, width: 0, height: 0)
                }
                x = right
            }
            changed.add(run)
            y = bottom
        }
    }

    private static func firstDifference(
        in tile: PixelRect, _ newer: Picture, _ older: Picture, _ bytesPerPixel: Int
    ) -> Int? {
        let (start, count) = (tile.x * bytesPerPixel, tile.width * bytesPerPixel)
        for y in tile.y..<tile.maxY
        where differ(newer.pixels + (y * newer.stride + start), older.pixels + (y * older.stride + start), count) {
            return y
        }
        return nil
    }

    /// Returns whether two runs of bytes differ: by 32 bytes at a time, as this floor has no C library.
    private static func differ(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ count: Int) -> Bool {
        func difference(_ offset: Int) -> UInt64 {
            a.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                ^ b.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        var offset = 0
        while offset <= count - 32 {
            let found = difference(offset) | difference(offset + 8) | difference(offset + 16) | difference(offset + 24)
            if found != 0 { return true }
            offset += 32
        }
        while offset < count {
            if a.load(fromByteOffset: offset, as: UInt8.self) != b.load(fromByteOffset: offset, as: UInt8.self) {
                return true
            }
            offset += 1
        }
        return false
    }
}
