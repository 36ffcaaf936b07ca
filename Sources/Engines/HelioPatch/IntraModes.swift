/// The modes of 4x4 intra prediction in and around a macroblock, from which each block's mode is predicted (ITU-T H.264
/// section 8.3.1.1).
///
/// The prediction applies to slices of whole pictures without constrained intra prediction, in which a neighbour that
/// is available but not Intra_4x4 counts as DC.
struct IntraModes {
    private static let dc = UInt8(IntraPredictor4x4.Mode.dc.rawValue)

    /// The modes of the bottom blocks of the last macroblock in each column: in the present row to the left of the
    /// present macroblock, otherwise in the row above.
    private var above: [UInt8]
    /// The modes of the rightmost blocks of the macroblock to the left.
    private var left = [UInt8](repeating: Self.dc, count: 4)
    /// The modes of the present macroblock's blocks, row by row.
    private var own = [UInt8](repeating: Self.dc, count: 16)

    init(mbWidth: Int) { above = [UInt8](repeating: Self.dc, count: mbWidth * 4) }

    /// The mode of the block at column `bx`, row `by` of the macroblock.
    subscript(_ bx: Int, _ by: Int) -> Int {
        get { Int(own[by * 4 + bx]) }
        set { own[by * 4 + bx] = UInt8(newValue) }
    }

    /// The predicted mode of the block at column `bx`, row `by` of macroblock (`x`, `y`).
    func predicted(_ x: Int, _ y: Int, _ bx: Int, _ by: Int) -> Int {
        if bx == 0 && x == 0 || by == 0 && y == 0 { return Int(Self.dc) }
        let a = bx > 0 ? own[by * 4 + bx - 1] : left[by]
        let b = by > 0 ? own[(by - 1) * 4 + bx] : above[x * 4 + bx]
        return Int(min(a, b))
    }

    /// Records a finished macroblock's modes as neighbours of later macroblocks.
    ///
    /// - Parameter isIntra4x4: false if the macroblock in column `x` was coded in another way, or skipped.
    mutating func pass(_ x: Int, isIntra4x4: Bool) {
        for i in 0..<4 {
            above[x * 4 + i] = isIntra4x4 ? own[12 + i] : Self.dc
            left[i] = isIntra4x4 ? own[i * 4 + 3] : Self.dc
        }
    }
}
