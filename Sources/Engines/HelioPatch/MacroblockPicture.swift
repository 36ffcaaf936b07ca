package import HelioCore

/// A picture's samples by macroblock, with a mark for each macroblock changed since it was last coded.
///
/// The picture is a view of memory that its owner holds, padded to whole macroblocks. Samples have 8 bits. 4:2:0 has
/// the layout of NV12; 4:4:4 has three planes.
package struct MacroblockPicture {
    package let size: PixelSize
    package let chroma: ChromaSampling
    package let luma: UnsafeMutablePointer<UInt8>
    /// The samples of Cb and Cr, interleaved, in 4:2:0; of Cb in 4:4:4.
    package let chroma0: UnsafeMutablePointer<UInt8>
    /// The samples of Cr in 4:4:4; equal to `chroma0` in 4:2:0.
    package let chroma1: UnsafeMutablePointer<UInt8>
    package let lumaStride: Int
    package let chromaStride: Int
    /// The marks of the macroblocks, one byte each, row by row: 1 (x264's `X264_MBINFO_CONSTANT`) for an unchanged
    /// macroblock, 0 for a changed one.
    package let unchanged: UnsafeMutablePointer<UInt8>

    package init(
        size: PixelSize, chroma: ChromaSampling, luma: UnsafeMutablePointer<UInt8>,
        chroma0: UnsafeMutablePointer<UInt8>, chroma1: UnsafeMutablePointer<UInt8>, lumaStride: Int,
        chromaStride: Int, unchanged: UnsafeMutablePointer<UInt8>
    ) {
        self.size = size
        self.chroma = chroma
        self.luma = luma
        self.chroma0 = chroma0
        self.chroma1 = chroma1
        self.lumaStride = lumaStride
        self.chromaStride = chromaStride
        self.unchanged = unchanged
    }

    /// The width in macroblocks of 16 pixels, rounded up.
    package var mbWidth: Int { (size.width + 15) / 16 }
    /// The height in macroblocks of 16 pixels, rounded up.
    package var mbHeight: Int { (size.height + 15) / 16 }
    package var blockCount: Int { mbWidth * mbHeight }

    /// Marks all macroblocks as unchanged, or as changed.
    package func mark(unchanged isUnchanged: Bool) {
        unchanged.update(repeating: isUnchanged ? 1 : 0, count: blockCount)
    }

    /// The bounds of the changed macroblocks inside `rect`, in pixels; empty if there are none.
    package func changedBounds(in rect: PixelRect) -> PixelRect {
        let blocks = rect.aligned(to: 16)
        var found = PixelRect(x: 0, y: 0, width: 0, height: 0)
        let x0 = blocks.x / 16
        let x1 = min(blocks.maxX / 16, mbWidth)
        for y in blocks.y / 16..<min(blocks.maxY / 16, mbHeight) {
            guard let (first, last) = changedColumns(ofRow: y, in: x0..<x1) else { continue }
            found = found.union(PixelRect(x: first * 16, y: y * 16, width: (last - first + 1) * 16, height: 16))
        }
        return found.intersection(PixelRect(size))
    }

    /// The region of the changed macroblocks, in pixels: in each row, one rectangle from the first to the last.
    package var changedRegion: Region {
        var region = Region()
        for y in 0..<mbHeight {
            region.add(changedBounds(in: PixelRect(x: 0, y: y * 16, width: size.width, height: 16)))
        }
        return region
    }

    /// The marks as `BlockMarks`, for a fast search for changed macroblocks.
    package var marks: BlockMarks { BlockMarks(unchanged, count: blockCount) }

    package var changedCount: Int {
        var count = 0
        for i in 0..<blockCount { count &+= Int(1 &- unchanged[i]) }
        return count
    }

    /// The first and the last changed macroblock of a row; `nil` if there is none.
    ///
    /// - Parameter columns: the columns to search; `nil`: the whole row.
    func changedColumns(ofRow y: Int, in columns: Range<Int>? = nil) -> (first: Int, last: Int)? {
        let row = unchanged + y * mbWidth
        let columns = columns ?? 0..<mbWidth
        let marks = BlockMarks(row, count: mbWidth)
        guard let first = marks.firstZero(from: columns.lowerBound, to: columns.upperBound),
            let last = marks.lastZero(in: columns)
        else { return nil }
        return (first, last)
    }

    /// The planes, luma first; 4:2:0 has two, as Cb and Cr are interleaved.
    var planes: [SamplePlane] {
        let first = SamplePlane(bytes: luma, stride: lumaStride, lines: 16)
        if chroma == .yuv420 { return [first, SamplePlane(bytes: chroma0, stride: chromaStride, lines: 8)] }
        return [first] + [chroma0, chroma1].map { SamplePlane(bytes: $0, stride: chromaStride, lines: 16) }
    }
}
