import HelioCore

/// The plan for coding a scrolled picture: for each macroblock, whether it is predicted from moved content, and whether
/// it needs a residual.
package struct ScrollPlan {
    package enum Kind: UInt8 {
        /// The macroblock has not changed.
        case still
        /// The macroblock equals the previous picture's content `motion` lines further down, in every sample.
        case moved
        /// The macroblock is best predicted by the previous picture's content `motion` lines further down, plus a
        /// residual.
        case movedAndChanged
        /// The macroblock is best predicted by the previous picture's content at the same position, plus a residual.
        case changed

        var moves: Bool { self == .moved || self == .movedAndChanged }
        var isNew: Bool { self == .movedAndChanged || self == .changed }
    }

    /// The motion in lines, never 0; positive if content moved up.
    let motion: Int
    /// The kind of each macroblock, row by row.
    package let kinds: [Kind]
    /// The number of macroblocks that can't be coded by motion alone.
    package let newCount: Int

    /// Makes a plan for a motion that `ScrollFinder` has found.
    ///
    /// - Parameter limit: the maximum of `newCount`; the result is `nil` if it is exceeded.
    init?(_ picture: MacroblockPicture, since shadow: SourceShadow, motion: Int, limit: Int) {
        let (width, height) = (picture.mbWidth, picture.mbHeight)
        let (now, before) = (picture.planes, shadow.planes)
        var kinds = [Kind](repeating: .still, count: width * height)
        var new = 0
        // The union of the samples' differing bits for each macroblock of a row; 0 if the macroblock equals the moved
        // content.
        var differences = [UInt64](repeating: 0, count: width)
        for y in 0..<height {
            guard let (first, last) = picture.changedColumns(ofRow: y) else { continue }
            let row = picture.unchanged + y * width
            let isInside = y * 16 + motion >= 0 && y * 16 + 15 + motion < height * 16
            for x in first...last { differences[x] = isInside ? 0 : 1 }
            if isInside {
                for (a, b) in zip(now, before) {
                    Self.compare(a, b, y, motion, first...last, into: &differences)
                }
            }
            for x in first...last {
                // A macroblock that equals both the moved and the unmoved content is moved with its neighbours, as one
                // motion for all takes the fewest bits.
                if differences[x] == 0 {
                    kinds[y * width + x] = .moved
                } else if row[x] == 0 {
                    new += 1
                    if new > limit { return nil }
                    let moved = Self.difference(now[0], before[0], x, y, motion, height)
                    let still = Self.difference(now[0], before[0], x, y, 0, height)
                    kinds[y * width + x] = moved < still ? .movedAndChanged : .changed
                }
            }
        }
        self.motion = motion
        self.kinds = kinds
        newCount = new
    }

    /// Compares a row of macroblocks with the previous picture's content `motion` lines further down.
    private static func compare(
        _ now: SamplePlane, _ before: SamplePlane, _ y: Int, _ motion: Int, _ columns: ClosedRange<Int>,
        into differences: inout [UInt64]
    ) {
        let top = y * now.lines
        let start = columns.lowerBound * 16
        differences.withUnsafeMutableBufferPointer { buffer in
            guard let found = buffer.baseAddress.map({ $0 + columns.lowerBound }) else { return }
            for line in top..<top + now.lines {
                let a = UnsafeRawPointer(now.bytes + line * now.stride + start)
                let b = UnsafeRawPointer(before.bytes + (line + motion * now.lines / 16) * before.stride + start)
                for i in 0..<columns.count {
                    let x = a.loadUnaligned(fromByteOffset: i * 16, as: SIMD2<UInt64>.self)
                    let y = b.loadUnaligned(fromByteOffset: i * 16, as: SIMD2<UInt64>.self)
                    let d = x ^ y
                    found[i] |= d[0] | d[1]
                }
            }
        }
    }

    /// The sum of absolute differences between a macroblock's luma and the previous picture's, moved by `motion` lines.
    /// Beyond the picture, its first or last line is repeated.
    private static func difference(
        _ now: SamplePlane, _ before: SamplePlane, _ x: Int, _ y: Int, _ motion: Int, _ height: Int
    ) -> Int {
        var sum = 0
        for line in y * 16..<(y + 1) * 16 {
            let from = max(0, min(height * 16 - 1, line + motion))
            let p = UnsafeRawPointer(now.bytes + line * now.stride + x * 16)
            let q = UnsafeRawPointer(before.bytes + from * before.stride + x * 16)
            let a = SIMD16<Int16>(truncatingIfNeeded: p.loadUnaligned(as: SIMD16<UInt8>.self))
            let b = SIMD16<Int16>(truncatingIfNeeded: q.loadUnaligned(as: SIMD16<UInt8>.self))
            let d = a &- b
            sum += Int(d.replacing(with: 0 &- d, where: d .< 0).wrappedSum())
        }
        return sum
    }
}
