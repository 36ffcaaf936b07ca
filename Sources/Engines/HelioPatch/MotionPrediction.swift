/// Predicts a macroblock's motion vector from its neighbours' (ITU-T H.264 sections 8.4.1.1 and 8.4.1.3).
///
/// The prediction applies to slices of whole pictures whose macroblocks are all predicted from the same reference
/// picture, without partitions and without horizontal motion.
struct MotionPrediction {
    private let mbWidth: Int
    /// The vertical motion vectors of the row above, in quarters of a line.
    private var above: [Int]
    /// The vertical motion vectors of the present row, in quarters of a line.
    private var row: [Int]

    init(mbWidth: Int) {
        self.mbWidth = mbWidth
        above = [Int](repeating: 0, count: mbWidth)
        row = above
    }

    /// Predicts the vector of macroblock (`x`, `y`).
    ///
    /// - Returns: the predicted vector, and the vector that a skipped macroblock has.
    func predict(_ x: Int, _ y: Int) -> (vector: Int, skipped: Int) {
        // A macroblock of the first row has no neighbour but the left one; the first macroblock has none, so its vector
        // is 0.
        if y == 0 { return (x == 0 ? 0 : row[x - 1], 0) }
        let left = x == 0 ? 0 : row[x - 1]
        let up = above[x]
        // Use the neighbour above to the right or, if that is unavailable, above to the left.
        let corner = x + 1 < mbWidth ? above[x + 1] : x > 0 ? above[x - 1] : nil
        // The macroblock above is the only neighbour in a picture of a single column.
        guard let corner else { return (up, 0) }
        let median = max(min(left, up), min(max(left, up), corner))
        return (median, x == 0 || left == 0 || up == 0 ? 0 : median)
    }

    /// Records the vector of a macroblock.
    ///
    /// - Parameter vector: the vector of macroblock (`x`, `y`). Macroblocks have to be recorded row by row.
    mutating func note(_ vector: Int, _ x: Int, _ y: Int) {
        row[x] = vector
        if x == mbWidth - 1 { swap(&above, &row) }
    }
}
