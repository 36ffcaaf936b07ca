package import HelioCore

/// A set of a picture's macroblocks, as a bit mask in raster order.
package struct BlockSet: Sendable, Equatable {
    /// The number of macroblocks of the picture.
    package let blockCount: Int
    private var words: [UInt64]

    /// Makes an empty or a full set.
    package init(blockCount: Int, isFull: Bool = false) {
        self.blockCount = blockCount
        words = [UInt64](repeating: isFull ? .max : 0, count: (blockCount + 63) / 64)
        // Leave the bits after the last macroblock 0, so that they are never counted.
        if isFull, blockCount % 64 != 0 { words[words.count - 1] = (1 << UInt64(blockCount % 64)) - 1 }
    }

    /// Makes the set of the macroblocks that are marked as changed since `picture` was last coded.
    package init(changedIn picture: MacroblockPicture) {
        self.init(blockCount: picture.blockCount)
        picture.marks.forEachZero { insert($0) }
    }

    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    package func contains(_ index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 == 1 }

    package mutating func insert(_ index: Int) { words[index >> 6] |= 1 << UInt64(index & 63) }

    package mutating func formUnion(_ other: BlockSet) {
        precondition(other.blockCount == blockCount)
        for i in words.indices { words[i] |= other.words[i] }
    }

    /// The region that the set covers in a picture of this size, in pixels: in each row, one rectangle from the first
    /// to the last macroblock of the set.
    package func region(of size: PixelSize) -> Region {
        let width = (size.width + 15) / 16
        var region = Region()
        for y in 0..<(size.height + 15) / 16 {
            let row = y * width..<(y + 1) * width
            guard let first = row.first(where: contains), let last = row.last(where: contains) else { continue }
            let rect = PixelRect(
                x: (first - row.lowerBound) * 16, y: y * 16, width: (last - first + 1) * 16, height: 16)
            region.add(rect.intersection(PixelRect(size)))
        }
        return region
    }
}
