/// Predicts whole macroblocks from the samples to the left and above (Intra_16x16, and the chroma of 4:2:0; ITU-T H.264
/// sections 8.3.3 and 8.3.4), without plane prediction.
enum IntraPredictor16x16 {
    /// The prediction modes. Raw values are the mode numbers for luma (table 8-3).
    enum Mode: Int, CaseIterable {
        case vertical, horizontal, dc

        /// The number of the same mode for chroma (table 8-5).
        var chromaNumber: Int { [2, 1, 0][rawValue] }
    }

    /// The availability of a macroblock's neighbours.
    struct Neighbours {
        var left: Bool
        var above: Bool

        func allows(_ mode: Mode) -> Bool {
            switch mode {
            case .vertical: above
            case .horizontal: left
            case .dc: true
            }
        }
    }

    /// Writes the prediction of a macroblock in a full-size plane.
    static func write(
        _ mode: Mode, to target: UnsafeMutablePointer<UInt8>, _ stride: Int, _ neighbours: Neighbours
    ) {
        switch mode {
        case .vertical: copyAbove(target, stride, rows: 16)
        case .horizontal:
            for y in 0..<16 {
                let row = target + y * stride
                row.update(repeating: row[-1], count: 16)
            }
        case .dc:
            var sum = 0
            if neighbours.above { for x in 0..<16 { sum += Int(target[x - stride]) } }
            if neighbours.left { for y in 0..<16 { sum += Int(target[y * stride - 1]) } }
            let mean =
                switch (neighbours.left, neighbours.above) {
                case (true, true): UInt8((sum + 16) >> 5)
                case (false, false): UInt8(128)
                default: UInt8((sum + 8) >> 4)
                }
            for y in 0..<16 { (target + y * stride).update(repeating: mean, count: 16) }
        }
    }

    /// Writes the prediction of a macroblock of interleaved Cb and Cr in 4:2:0.
    static func writeChroma(
        _ mode: Mode, to target: UnsafeMutablePointer<UInt8>, _ stride: Int, _ neighbours: Neighbours
    ) {
        switch mode {
        case .vertical: copyAbove(target, stride, rows: 8)
        case .horizontal:
            for y in 0..<8 {
                let row = target + y * stride
                let (cb, cr) = (row[-2], row[-1])
                for x in 0..<8 { (row[x * 2], row[x * 2 + 1]) = (cb, cr) }
            }
        case .dc:
            for c in 0..<2 {
                for i in 0..<4 {
                    let (x, y) = (i & 1, i >> 1)
                    let mean = chromaMean(target + c, stride, x, y, neighbours)
                    for line in y * 4..<y * 4 + 4 {
                        for column in x * 4..<x * 4 + 4 { target[line * stride + column * 2 + c] = mean }
                    }
                }
            }
        }
    }

    /// The sum of absolute differences over `rows` rows of 16 bytes.
    static func difference(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ target: UnsafePointer<UInt8>, _ targetStride: Int,
        rows: Int
    ) -> Int {
        var sum = 0
        for y in 0..<rows {
            let p = UnsafeRawPointer(source + y * sourceStride).loadUnaligned(as: SIMD16<UInt8>.self)
            let q = UnsafeRawPointer(target + y * targetStride).loadUnaligned(as: SIMD16<UInt8>.self)
            let d = SIMD16<Int16>(truncatingIfNeeded: p) &- SIMD16<Int16>(truncatingIfNeeded: q)
            sum += Int(d.replacing(with: 0 &- d, where: d .< 0).wrappedSum())
        }
        return sum
    }

    /// The DC prediction of one 4x4 block of Cb or Cr (sections 8.3.4.1 to 8.3.4.3). For a block at both the upper and
    /// the left edge of the macroblock, or at neither, the prediction is the mean of the samples above and to the left.
    /// For any other block, it is the mean of the samples beyond the edge that the block touches, if available.
    private static func chromaMean(
        _ target: UnsafePointer<UInt8>, _ stride: Int, _ x: Int, _ y: Int, _ neighbours: Neighbours
    ) -> UInt8 {
        var (left, above) = (neighbours.left, neighbours.above)
        if left, above {
            if x > 0, y == 0 { left = false }
            if x == 0, y > 0 { above = false }
        }
        var sum = 0
        if left { for line in y * 4..<y * 4 + 4 { sum += Int(target[line * stride - 2]) } }
        if above { for column in x * 4..<x * 4 + 4 { sum += Int(target[column * 2 - stride]) } }
        return switch (left, above) {
        case (true, true): UInt8((sum + 4) >> 3)
        case (false, false): 128
        default: UInt8((sum + 2) >> 2)
        }
    }

    private static func copyAbove(_ target: UnsafeMutablePointer<UInt8>, _ stride: Int, rows: Int) {
        for y in 0..<rows { (target + y * stride).update(from: target - stride, count: 16) }
    }
}
