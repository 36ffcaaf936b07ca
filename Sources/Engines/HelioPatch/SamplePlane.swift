/// A plane of one kind of samples, or of Cb and Cr by turns, of a picture in macroblocks.
struct SamplePlane {
    let bytes: UnsafeMutablePointer<UInt8>
    /// The bytes from line to line.
    let stride: Int
    /// The lines of a macroblock.
    let lines: Int
    /// The bytes of a macroblock's line.
    var width = 16

    /// Moves to macroblocks of a row what is further down, or up where `motion` is negative.
    ///
    /// Where everything moves so, in the order of rows in which nothing is overwritten that is still wanted.
    ///
    /// - Parameters:
    ///   - columns: the macroblocks.
    ///   - motion: in lines of luma.
    ///   - rows: the picture's rows of macroblocks: beyond them its first or last line is repeated.
    func move(_ columns: Range<Int>, ofRow row: Int, by motion: Int, rows: Int) {
        let isUp = motion > 0
        let motion = motion * lines / 16
        let first = columns.lowerBound * width
        for i in 0..<lines {
            let line = row * lines + (isUp ? i : lines - 1 - i)
            let from = max(0, min(rows * lines - 1, line + motion))
            (bytes + line * stride + first).update(
                from: bytes + from * stride + first, count: columns.count * width)
        }
    }
}
