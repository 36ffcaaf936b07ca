/// Sixteen residual samples or coefficients, row by row, with the 4x4 integer transform of H.264 (section
/// 8.5.12.2) and its forward counterpart.
struct Block4x4 {
    typealias Row = SIMD4<Int32>

    var r0 = Row()
    var r1 = Row()
    var r2 = Row()
    var r3 = Row()

    @inline(__always) init() {}

    /// Computes the residual: the source's samples minus the target's.
    ///
    /// - Parameter step: bytes between samples: 1, or 2 for interleaved chroma.
    @inline(__always)
    init(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int, minus target: UnsafePointer<UInt8>, _ targetStride: Int,
        step: Int
    ) {
        r0 = Self.load(source, step) &- Self.load(target, step)
        r1 = Self.load(source + sourceStride, step) &- Self.load(target + targetStride, step)
        r2 = Self.load(source + sourceStride &* 2, step) &- Self.load(target + targetStride &* 2, step)
        r3 = Self.load(source + sourceStride &* 3, step) &- Self.load(target + targetStride &* 3, step)
    }

    /// Places levels, which are in zigzag order, at their positions in the block (section 8.5.6).
    @inline(__always)
    init(scan l: UnsafePointer<Int16>) {
        r0 = Row(Int32(l[0]), Int32(l[1]), Int32(l[5]), Int32(l[6]))
        r1 = Row(Int32(l[2]), Int32(l[4]), Int32(l[7]), Int32(l[12]))
        r2 = Row(Int32(l[3]), Int32(l[8]), Int32(l[11]), Int32(l[13]))
        r3 = Row(Int32(l[9]), Int32(l[10]), Int32(l[14]), Int32(l[15]))
    }

    @inline(__always)
    var isZero: Bool {
        let all = r0 | r1 | r2 | r3
        return all[0] | all[1] | all[2] | all[3] == 0
    }

    @inline(__always)
    mutating func transform() {
        forward()
        transpose()
        forward()
        transpose()
    }

    /// Transforms the DC coefficients of sixteen blocks by a 4x4 Hadamard transform (section 8.5.10). Applied twice, it
    /// yields 16 times the input.
    mutating func transformDC() {
        hadamard()
        transpose()
        hadamard()
        transpose()
    }

    /// The element at column `x`, row `y`.
    subscript(_ x: Int, _ y: Int) -> Int32 {
        get {
            switch y {
            case 0: r0[x]
            case 1: r1[x]
            case 2: r2[x]
            default: r3[x]
            }
        }
        set {
            switch y {
            case 0: r0[x] = newValue
            case 1: r1[x] = newValue
            case 2: r2[x] = newValue
            default: r3[x] = newValue
            }
        }
    }

    /// Adds the inverse transform of the block, rounded, to the target's samples.
    @inline(__always)
    consuming func addInverse(to target: UnsafeMutablePointer<UInt8>, _ stride: Int, step: Int) {
        transpose()
        inverse()
        transpose()
        inverse()
        Self.add(r0, target, step)
        Self.add(r1, target + stride, step)
        Self.add(r2, target + stride &* 2, step)
        Self.add(r3, target + stride &* 3, step)
    }

    /// Writes the levels in zigzag order (section 8.5.6). Returns the number of nonzero levels.
    @inline(__always)
    func scan(into levels: UnsafeMutablePointer<Int32>) -> Int {
        levels[0] = r0[0]
        levels[1] = r0[1]
        levels[2] = r1[0]
        levels[3] = r2[0]
        levels[4] = r1[1]
        levels[5] = r0[2]
        levels[6] = r0[3]
        levels[7] = r1[2]
        levels[8] = r2[1]
        levels[9] = r3[0]
        levels[10] = r3[1]
        levels[11] = r2[2]
        levels[12] = r1[3]
        levels[13] = r2[3]
        levels[14] = r3[2]
        levels[15] = r3[3]
        let zero = Row()
        let used = Row(repeating: 1)
        var count = zero.replacing(with: used, where: r0 .!= zero)
        count &+= zero.replacing(with: used, where: r1 .!= zero)
        count &+= zero.replacing(with: used, where: r2 .!= zero)
        count &+= zero.replacing(with: used, where: r3 .!= zero)
        return Int(count.wrappedSum())
    }

    @inline(__always)
    private mutating func forward() {
        let (s0, s1) = (r0 &+ r3, r1 &+ r2)
        let (d0, d1) = (r0 &- r3, r1 &- r2)
        r0 = s0 &+ s1
        r1 = d0 &+ d0 &+ d1
        r2 = s0 &- s1
        r3 = d0 &- d1 &- d1
    }

    private mutating func hadamard() {
        let (s0, s1) = (r0 &+ r3, r1 &+ r2)
        let (d0, d1) = (r0 &- r3, r1 &- r2)
        r0 = s0 &+ s1
        r1 = d0 &+ d1
        r2 = s0 &- s1
        r3 = d0 &- d1
    }

    @inline(__always)
    private mutating func inverse() {
        let (e0, e1) = (r0 &+ r2, r0 &- r2)
        let (e2, e3) = ((r1 &>> 1) &- r3, r1 &+ (r3 &>> 1))
        r0 = e0 &+ e3
        r1 = e1 &+ e2
        r2 = e1 &- e2
        r3 = e0 &- e3
    }

    @inline(__always)
    private mutating func transpose() {
        let (a, b, c, d) = (r0, r1, r2, r3)
        r0 = Row(a[0], b[0], c[0], d[0])
        r1 = Row(a[1], b[1], c[1], d[1])
        r2 = Row(a[2], b[2], c[2], d[2])
        r3 = Row(a[3], b[3], c[3], d[3])
    }

    @inline(__always)
    private static func load(_ at: UnsafePointer<UInt8>, _ step: Int) -> Row {
        if step == 1 {
            let bytes = UnsafeRawPointer(at).loadUnaligned(as: SIMD4<UInt8>.self)
            return Row(truncatingIfNeeded: bytes)
        }
        let bytes = UnsafeRawPointer(at).loadUnaligned(as: SIMD8<UInt8>.self)
        return Row(truncatingIfNeeded: bytes.evenHalf)
    }

    @inline(__always)
    private static func add(_ row: Row, _ at: UnsafeMutablePointer<UInt8>, _ step: Int) {
        let sum = load(at, step) &+ ((row &+ 32) &>> 6)
        let bytes = SIMD4<UInt8>(truncatingIfNeeded: sum.clamped(lowerBound: Row(), upperBound: Row(repeating: 255)))
        if step == 1 {
            UnsafeMutableRawPointer(at).storeBytes(of: bytes, as: SIMD4<UInt8>.self)
        } else {
            at[0] = bytes[0]
            at[2] = bytes[1]
            at[4] = bytes[2]
            at[6] = bytes[3]
        }
    }
}
