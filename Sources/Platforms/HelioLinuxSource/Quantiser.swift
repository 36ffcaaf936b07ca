/// Quantises and scales 4x4 blocks at one quantiser (section 8.5.9; forward side as usual, inter rounding 1/6).
struct Quantiser {
    private let shift: Int32
    private let round: Int32
    private let scaleShift: Int32
    private let forward: (Int32, Int32, Int32)
    private let backward: (Int32, Int32, Int32)

    init(_ qp: Int) {
        let steps: [(forward: (Int32, Int32, Int32), backward: (Int32, Int32, Int32))] = [
            ((13107, 5243, 8066), (10, 16, 13)), ((11916, 4660, 7490), (11, 18, 14)), ((10082, 4194, 6554), (13, 20, 16)),
            ((9362, 3647, 5825), (14, 23, 18)), ((8192, 3355, 5243), (16, 25, 20)), ((7282, 2893, 4559), (18, 29, 23)),
        ]
        shift = Int32(15 + qp / 6)
        round = (1 << shift) / 6
        scaleShift = Int32(qp / 6)
        (forward, backward) = steps[qp % 6]
    }

    /// Raster place of each coefficient in zigzag order, 4 bits each (section 8.5.6).
    private static let zigzag: UInt64 = 0xFEB7_ADC9_6325_8410

    /// - Returns: how many of the levels, put in scan order, are not zero; those before `from` are left out.
    @inline(__always)
    func quantise(_ block: UnsafePointer<Int32>, _ levels: UnsafeMutablePointer<Int32>, from: Int) -> Int {
        var count = 0
        for i in from..<16 {
            let place = Int(Self.zigzag >> UInt64(i &* 4) & 15)
            let value = block[place]
            let magnitude = (abs(value) &* factor(place, forward) &+ round) >> shift
            levels[i] = value < 0 ? -magnitude : magnitude
            if magnitude != 0 { count &+= 1 }
        }
        return count
    }

    @inline(__always)
    func dequantise(_ levels: UnsafePointer<Int32>, _ block: UnsafeMutablePointer<Int32>, from: Int) {
        for i in from..<16 {
            let place = Int(Self.zigzag >> UInt64(i &* 4) & 15)
            block[place] = levels[i] &* factor(place, backward) << scaleShift
        }
    }

    /// A sum of four chroma DC.
    func quantiseDC(_ value: Int32) -> Int32 {
        let magnitude = Int32((Int64(abs(value)) * Int64(forward.0) + Int64(round) * 2) >> Int64(shift + 1))
        return value < 0 ? -magnitude : magnitude
    }

    func dequantiseDC(_ value: Int32) -> Int32 {
        (value &* backward.0 << scaleShift) >> 1
    }

    /// Both coordinates even, both odd, or one of each.
    @inline(__always)
    private func factor(_ place: Int, _ of: (Int32, Int32, Int32)) -> Int32 {
        switch place & 5 {
        case 0: of.0
        case 5: of.1
        default: of.2
        }
    }
}
