/// The 4x4 integer transform of H.264 (section 8.5.12) and its forward counterpart, on blocks in raster order.
enum Transform {
    /// Puts source minus target into `block`; false when they are equal.
    ///
    /// - Parameter step: bytes between samples.
    @inline(__always)
    static func difference(
        _ source: UnsafePointer<UInt8>, _ sourceStride: Int, _ target: UnsafePointer<UInt8>, _ targetStride: Int,
        step: Int, _ block: UnsafeMutablePointer<Int32>
    ) -> Bool {
        var any: Int32 = 0
        for y in 0..<4 {
            for x in 0..<4 {
                let d = Int32(source[y &* sourceStride &+ x &* step]) &- Int32(target[y &* targetStride &+ x &* step])
                block[y &* 4 &+ x] = d
                any |= d
            }
        }
        return any != 0
    }

    @inline(__always)
    static func forward(_ b: UnsafeMutablePointer<Int32>) {
        for y in 0..<4 {
            let r = b + y &* 4
            let (s0, s1) = (r[0] &+ r[3], r[1] &+ r[2])
            let (d0, d1) = (r[0] &- r[3], r[1] &- r[2])
            r[0] = s0 &+ s1
            r[1] = d0 &* 2 &+ d1
            r[2] = s0 &- s1
            r[3] = d0 &- d1 &* 2
        }
        for x in 0..<4 {
            let c = b + x
            let (s0, s1) = (c[0] &+ c[12], c[4] &+ c[8])
            let (d0, d1) = (c[0] &- c[12], c[4] &- c[8])
            c[0] = s0 &+ s1
            c[4] = d0 &* 2 &+ d1
            c[8] = s0 &- s1
            c[12] = d0 &- d1 &* 2
        }
    }

    /// Adds the inverse transform of scaled coefficients to the target.
    @inline(__always)
    static func inverse(
        _ b: UnsafeMutablePointer<Int32>, _ target: UnsafeMutablePointer<UInt8>, _ stride: Int, step: Int
    ) {
        for y in 0..<4 {
            let r = b + y &* 4
            let (e0, e1) = (r[0] &+ r[2], r[0] &- r[2])
            let (e2, e3) = ((r[1] >> 1) &- r[3], r[1] &+ (r[3] >> 1))
            r[0] = e0 &+ e3
            r[1] = e1 &+ e2
            r[2] = e1 &- e2
            r[3] = e0 &- e3
        }
        for x in 0..<4 {
            let c = b + x
            let (e0, e1) = (c[0] &+ c[8], c[0] &- c[8])
            let (e2, e3) = ((c[4] >> 1) &- c[12], c[4] &+ (c[12] >> 1))
            let at = target + x &* step
            add(e0 &+ e3, at)
            add(e1 &+ e2, at + stride)
            add(e1 &- e2, at + stride &* 2)
            add(e0 &- e3, at + stride &* 3)
        }
    }

    @inline(__always)
    private static func add(_ value: Int32, _ at: UnsafeMutablePointer<UInt8>) {
        at.pointee = UInt8(truncatingIfNeeded: max(0, min(255, Int32(at.pointee) &+ ((value &+ 32) >> 6))))
    }
}
