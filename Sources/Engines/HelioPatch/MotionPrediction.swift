/// The prediction of a macroblock's motion vector from its neighbours' (ITU-T H.264 sections 8.4.1.1 and 8.4.1.3).
///
/// For slices of whole pictures in which each macroblock is predicted from the one reference picture, without
/// partitions, and nothing moves sideways.
struct MotionPrediction {
    private let mbWidth: Int
    /// The vertical vectors, in quarters of a line, of the row above and of this one.
    private var above: [Int]
    private var row: [Int]

    init(mbWidth: Int) {
        self.mbWidth = mbWidth
        above = [Int](repeating: 0, count: mbWidth)
        row = above
    }

    /// - Returns: the predicted vector, and the one that a skipped macroblock gets.
    func predict(_ x: Int, _ y: Int) -> (vector: Int, skipped: Int) {
        // Nothing above: the left one alone counts, and where that is not there either, nothing.
        if y == 0 { return (x == 0 ? 0 : row[x - 1], 0) }
        let left = x == 0 ? 0 : row[x - 1]
        let up = above[x]
        // Right above, or left above where that is not there.
        let corner = x + 1 < mbWidth ? above[x + 1] : x > 0 ? above[x - 1] : nil
        // Of a single column, the one above is the only neighbour.
        guard let corner else { return (up, 0) }
        let median = max(min(left, up), min(max(left, up), corner))
        return (median, x == 0 || left == 0 || up == 0 ? 0 : median)
    }

    /// Notes the vector of a macroblock.
    ///
    /// - Parameter vector: the vector of macroblock (`x`, `y`). They come row by row.
    mutating func note(_ vector: Int, _ x: Int, _ y: Int) {
        row[x] = vector
        if x == mbWidth - 1 { swap(&above, &row) }
    }
}
