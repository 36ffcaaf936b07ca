/// A plane of a picture, with samples of one component or interleaved Cb and Cr, addressed by macroblocks.
struct SamplePlane {
    let bytes: UnsafeMutablePointer<UInt8>
    /// The bytes from one line to the next.
    let stride: Int
    /// The number of lines of a macroblock in this plane.
    let lines: Int
    /// The number of bytes in a line of a macroblock in this plane.
    var width = 16

    /// Moves content into macroblocks of a row, from `motion` lines further down; from further up if `motion` is
    /// negative.
    ///
    /// To move a whole picture, call this from the top row down, or from the bottom row up if `motion` is negative, so
    /// that no line is overwritten before it is read.
    ///
    /// - Parameters:
    ///   - columns: the columns of macroblocks.
    ///   - motion: the motion in lines of luma.
    ///   - rows: the picture's number of macroblock rows. Beyond the picture, its first or last line is repeated.
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
