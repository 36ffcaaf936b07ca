/// Predicts blocks of 4x4 samples from the samples to the left and above (Intra_4x4; ITU-T H.264 section 8.3.1.2).
///
/// All nine modes take their samples from one pool: the neighbouring samples in sequence, from the lowest on the left
/// to the last one above, and the filtered values of two and of three adjacent ones. The pool position of each sample
/// of each mode is computed once.
///
/// Each coder owns an instance, as the pool is mutable.
final class IntraPredictor4x4 {
    /// The prediction modes. Raw values are the mode numbers (table 8-2).
    enum Mode: Int, CaseIterable {
        case vertical, horizontal, dc, diagonalDownLeft, diagonalDownRight, verticalRight, horizontalDown, verticalLeft
        case horizontalUp

        /// The array of all modes, stored because `allCases` makes a new array at each access.
        static let all = allCases
    }

    /// The availability of a block's neighbours.
    struct Neighbours {
        var left: Bool
        var above: Bool
        var aboveRight: Bool
    }

    // Offsets in the pool. The neighbours begin at 0, with the first and the last one repeated; then follow the means
    // of two, the weighted means of three, and the DC prediction.
    private static let pairs = 16
    private static let triples = 32
    private static let mean = 48
    /// The position of the corner sample. The samples on the left are before it, from the bottom up; those above are
    /// after it, from left to right.
    private static let corner = 5
    private let pool: UnsafeMutablePointer<UInt8>
    /// The pool position of each predicted sample, indexed as `[mode * 16 + y * 4 + x]`.
    private let places: UnsafeMutablePointer<UInt8>
    private var neighbours = Neighbours(left: false, above: false, aboveRight: false)

    init() {
        pool = .allocate(capacity: 64)
        pool.initialize(repeating: 0, count: 64)
        places = .allocate(capacity: Mode.allCases.count * 16)
        for mode in Mode.allCases {
            for i in 0..<16 {
                (places + mode.rawValue * 16 + i).initialize(to: UInt8(Self.place(mode, i & 3, i >> 2)))
            }
        }
    }

    deinit {
        pool.deallocate()
        places.deallocate()
    }

    /// Fills the pool from the neighbours of the block at `target`.
    func look(_ target: UnsafePointer<UInt8>, _ stride: Int, _ neighbours: Neighbours) {
        self.neighbours = neighbours
        let corner = Self.corner
        var sum = 0
        if neighbours.left {
            for i in 0..<4 {
                let sample = target[i * stride - 1]
                pool[corner - 1 - i] = sample
                sum += Int(sample)
            }
            pool[corner - 5] = pool[corner - 4]
        }
        if neighbours.above {
            let row = target - stride
            for i in 0..<4 {
                pool[corner + 1 + i] = row[i]
                sum += Int(row[i])
            }
            for i in 4..<8 { pool[corner + 1 + i] = row[neighbours.aboveRight ? i : 3] }
            pool[corner + 9] = pool[corner + 8]
        }
        if neighbours.left, neighbours.above { pool[corner] = target[-stride - 1] }
        pool[Self.mean] =
            switch (neighbours.left, neighbours.above) {
            case (true, true): UInt8((sum + 4) >> 3)
            case (false, false): 128
            default: UInt8((sum + 2) >> 2)
            }
        guard neighbours.left || neighbours.above else { return }
        for i in 0..<14 { pool[Self.pairs + i] = UInt8((Int(pool[i]) + Int(pool[i + 1]) + 1) >> 1) }
        for i in 1..<14 {
            pool[Self.triples + i] = UInt8((Int(pool[i - 1]) + 2 * Int(pool[i]) + Int(pool[i + 1]) + 2) >> 2)
        }
    }

    /// Returns whether the neighbours that a mode needs are available.
    func allows(_ mode: Mode) -> Bool {
        switch mode {
        case .dc: true
        case .vertical, .diagonalDownLeft, .verticalLeft: neighbours.above
        case .horizontal, .horizontalUp: neighbours.left
        case .diagonalDownRight, .verticalRight, .horizontalDown: neighbours.left && neighbours.above
        }
    }

    /// The sum of absolute differences between a mode's prediction and the source.
    func difference(_ mode: Mode, _ source: UnsafePointer<UInt8>, _ stride: Int) -> Int {
        let place = places + mode.rawValue * 16
        var sum: Int32 = 0
        for y in 0..<4 {
            let row = place + y &* 4
            let predicted = SIMD4<Int32>(
                Int32(pool[Int(row[0])]), Int32(pool[Int(row[1])]), Int32(pool[Int(row[2])]), Int32(pool[Int(row[3])]))
            let bytes = UnsafeRawPointer(source + y &* stride).loadUnaligned(as: SIMD4<UInt8>.self)
            let d = SIMD4<Int32>(truncatingIfNeeded: bytes) &- predicted
            let sign = d &>> 31
            sum &+= ((d ^ sign) &- sign).wrappedSum()
        }
        return Int(sum)
    }

    /// Writes a mode's prediction to the block.
    func write(_ mode: Mode, to target: UnsafeMutablePointer<UInt8>, _ stride: Int) {
        let place = places + mode.rawValue * 16
        for y in 0..<4 {
            for x in 0..<4 { target[y &* stride &+ x] = pool[Int(place[y &* 4 &+ x])] }
        }
    }

    /// The pool position of a mode's predicted sample at column `x`, row `y` (sections 8.3.1.2.1 to 8.3.1.2.9, in the
    /// order of the modes).
    private static func place(_ mode: Mode, _ x: Int, _ y: Int) -> Int {
        // The sample above column n is at corner + 1 + n, the sample to the left of row n at corner - 1 - n.
        switch mode {
        case .vertical: return corner + 1 + x
        case .horizontal: return corner - 1 - y
        case .dc: return mean
        case .diagonalDownLeft: return triples + corner + 2 + x + y
        case .diagonalDownRight: return triples + corner + x - y
        case .verticalRight:
            let z = 2 * x - y
            if z < -1 { return triples + corner + 1 - y }
            if z == -1 { return triples + corner }
            return (z % 2 == 0 ? pairs : triples) + corner + x - (y >> 1)
        case .horizontalDown:
            let z = 2 * y - x
            if z < -1 { return triples + corner - 1 + x }
            if z == -1 { return triples + corner }
            let k = y - (x >> 1)
            return z % 2 == 0 ? pairs + corner - 1 - k : triples + corner - k
        case .verticalLeft:
            return y % 2 == 0 ? pairs + corner + 1 + x + (y >> 1) : triples + corner + 2 + x + (y >> 1)
        case .horizontalUp:
            let z = x + 2 * y
            let k = y + (x >> 1)
            if z > 5 { return corner - 4 }
            if z == 5 { return triples + corner - 4 }
            return z % 2 == 0 ? pairs + corner - 2 - k : triples + corner - 2 - k
        }
    }
}
