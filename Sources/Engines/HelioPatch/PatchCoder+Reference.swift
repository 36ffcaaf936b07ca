extension PatchCoder.Reference {
    /// Adds to a set the macroblocks of which any sample differs from an earlier reconstruction.
    ///
    /// x264 also codes macroblocks marked as unchanged, if their predicted motion vector is not 0 or a lower quantiser
    /// improves them. So only its reconstruction shows which macroblocks it has changed.
    ///
    /// - Parameter blocks: the set; macroblocks already in it are not compared.
    package func addDifferences(from before: Self, mbWidth: Int, mbHeight: Int, to blocks: inout BlockSet) {
        var planes = [(now: luma, before: before.luma, stride: lumaStride, old: before.lumaStride, lines: 16)]
        let isFull = chroma1 != nil
        planes.append((chroma0, before.chroma0, chromaStride, before.chromaStride, isFull ? 16 : 8))
        if let now = chroma1, let old = before.chroma1 {
            planes.append((now, old, chromaStride, before.chromaStride, 16))
        }
        // The union of the samples' differing bits, for each macroblock of a row; 0 if the macroblock is equal.
        var differences = [UInt64](repeating: 0, count: mbWidth)
        for y in 0..<mbHeight {
            let row = y * mbWidth
            guard let first = (0..<mbWidth).first(where: { !blocks.contains(row + $0) }),
                let last = (0..<mbWidth).last(where: { !blocks.contains(row + $0) })
            else { continue }
            for x in first...last { differences[x] = 0 }
            differences.withUnsafeMutableBufferPointer { found in
                for plane in planes {
                    for line in y * plane.lines..<(y + 1) * plane.lines {
                        let a = UnsafeRawPointer(plane.now + line * plane.stride)
                        let b = UnsafeRawPointer(plane.before + line * plane.old)
                        for x in first...last {
                            let d =
                                a.loadUnaligned(fromByteOffset: x &* 16, as: SIMD2<UInt64>.self)
                                ^ b.loadUnaligned(fromByteOffset: x &* 16, as: SIMD2<UInt64>.self)
                            found[x] |= d[0] | d[1]
                        }
                    }
                }
            }
            for x in first...last where differences[x] != 0 { blocks.insert(row + x) }
        }
    }
}
