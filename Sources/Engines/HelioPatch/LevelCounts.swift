/// The number of nonzero levels in each 4x4 block of a picture. A macroblock has 48 entries, 16 for each plane; with
/// 4:2:0, Cb and Cr use only 4 of them.
final class LevelCounts {
    private let mbWidth: Int
    private let bytes: UnsafeMutablePointer<UInt8>

    init(mbWidth: Int, mbHeight: Int) {
        self.mbWidth = mbWidth
        bytes = .allocate(capacity: mbWidth * mbHeight * 48)
        bytes.initialize(repeating: 0, count: mbWidth * mbHeight * 48)
    }

    deinit { bytes.deallocate() }

    /// The 48 entries of a macroblock, by the macroblock's index.
    @inline(__always)
    subscript(_ index: Int) -> UnsafeMutablePointer<UInt8> { bytes + index * 48 }

    /// Resets the entries of a macroblock to 0.
    func clear(_ index: Int) { self[index].update(repeating: 0, count: 48) }

    /// The number of nonzero levels predicted from the blocks to the left and above: nC (section 9.2.1).
    ///
    /// - Parameters:
    ///   - base: the index of the plane's first entry.
    ///   - size: the number of blocks along a side of the macroblock's plane: 4, or 2 for 4:2:0 chroma.
    @inline(__always)
    func around(_ x: Int, _ y: Int, _ bx: Int, _ by: Int, base: Int, size: Int) -> Int {
        let own = self[y * mbWidth + x] + base
        var left = -1
        var above = -1
        if bx > 0 {
            left = Int(own[PatchCoder.index(bx - 1, by, size)])
        } else if x > 0 {
            left = Int((own - 48)[PatchCoder.index(size - 1, by, size)])
        }
        if by > 0 {
            above = Int(own[PatchCoder.index(bx, by - 1, size)])
        } else if y > 0 {
            above = Int((own - mbWidth * 48)[PatchCoder.index(bx, size - 1, size)])
        }
        return left >= 0 && above >= 0 ? (left + above + 1) >> 1 : max(0, max(left, above))
    }
}
