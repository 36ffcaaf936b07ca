import HelioBitstream
package import HelioCore

/// Decodes the pictures that `PatchCoder` writes, in place and in time proportional to the changes.
///
/// An ordinary decoder copies all unchanged samples, which takes some milliseconds at 3840x2160. This decoder writes
/// the changes into the memory of the last picture, which the ordinary decoder keeps as its reference, as `PatchCoder`
/// does with x264's reference. It refuses all other pictures, without any change: those with intra macroblocks,
/// partitions, subpixel motion or several slices.
///
/// This decoder is not thread-safe.
package final class PatchDecoder {
    /// A macroblock with nonzero levels, whose entries in `blocks` are consecutive.
    private struct CodedBlock {
        var index: Int
        /// The index of the macroblock's first entry in `blocks`.
        var firstBlock: Int
    }

    /// The levels of one 4x4 block.
    private struct LevelBlock {
        /// The block's number: from 0 for luma, 16 for Cb and 32 for Cr. The DC blocks of Cb and Cr of 4:2:0 are 48 and
        /// 49.
        var number: UInt8
        /// The index of the block's first level in `levels`; the block has 16 levels.
        var firstLevel: Int
    }

    /// A run of macroblocks in a row that only moved.
    private struct MovedRun {
        var row: Int
        var first: Int
        var end: Int
    }

    private let syntax: PatchSyntax
    package let chroma: ChromaSampling
    private let mbWidth: Int
    private let mbHeight: Int
    private let reader = CAVLCReader()
    private let counts: LevelCounts
    private var payload: [UInt8] = []
    private var coded: [CodedBlock] = []
    private var blocks: [LevelBlock] = []
    private var levels: [Int16] = []
    private var moved: [MovedRun] = []
    private var motion = 0

    /// - Parameter syntax: the stream's parameter sets.
    package init(_ syntax: PatchSyntax, chroma: ChromaSampling) {
        self.syntax = syntax
        self.chroma = chroma
        mbWidth = syntax.mbWidth
        mbHeight = syntax.mbHeight
        counts = LevelCounts(mbWidth: mbWidth, mbHeight: mbHeight)
    }

    private var is420: Bool { chroma == .yuv420 }

    /// Reads a slice that is a whole picture, without applying it. Returns false if an ordinary decoder has to decode
    /// it.
    ///
    /// - Parameters:
    ///   - nal: the NAL unit, with its header.
    ///   - frameNumber: the expected `frame_num`; any other shows that a picture is missing.
    package func read(_ nal: RawSpan, frameNumber: Int) -> Bool {
        // Refuse a picture that is not a reference, as the next picture is not predicted from it.
        guard let header = nal.uint8(at: 0), header & 0x9F == 1, header & 0x60 != 0 else { return false }
        unescape(nal)
        let isWhole = payload.withUnsafeBufferPointer { payload in
            guard let base = payload.baseAddress,
                var bits = PatchBits(base, count: payload.count - PatchBits.padding)
            else { return false }
            return readHeader(&bits, frameNumber) && readBlocks(&bits)
        }
        for block in coded { counts.clear(block.index) }
        return isWhole
    }

    /// Applies the picture that `read` accepted last to the planes of its predecessor.
    package func write(to planes: PatchPlanes) {
        move(in: planes)
        add(to: planes)
    }

    private func unescape(_ nal: RawSpan) {
        payload.removeAll(keepingCapacity: true)
        payload.reserveCapacity(nal.byteCount + PatchBits.padding)
        EmulationPrevention.remove(from: nal, at: 1, to: &payload)
        for _ in 0..<PatchBits.padding { payload.append(0) }
    }

    // MARK: Reading

    private var quantiser = 0

    private func readHeader(_ bits: inout PatchBits, _ frameNumber: Int) -> Bool {
        coded.removeAll(keepingCapacity: true)
        blocks.removeAll(keepingCapacity: true)
        levels.removeAll(keepingCapacity: true)
        moved.removeAll(keepingCapacity: true)
        motion = 0
        guard bits.unsigned() == 0 else { return false }  // first_mb_in_slice
        let type = bits.unsigned()
        guard type == 0 || type == 5, bits.unsigned() == syntax.parameterSet,
            bits.bits(syntax.frameNumberBits) == frameNumber & ((1 << syntax.frameNumberBits) - 1),
            bits.bits(3) == 0  // no override of the reference count, list or marking
        else { return false }
        quantiser = syntax.initialQP + bits.signed()
        return (0...51).contains(quantiser) && bits.unsigned() == 1 && !bits.isBeyondEnd  // no deblocking
    }

    private func readBlocks(_ bits: inout PatchBits) -> Bool {
        let total = mbWidth * mbHeight
        // Predict vectors only once something moves, so that a run of skipped macroblocks is usually passed in one
        // step.
        var vectors: MotionPrediction?
        var index = 0
        while bits.hasMore {
            let skipped = bits.unsigned()
            guard skipped <= total - index else { return false }
            if vectors == nil {
                index += skipped
            } else {
                for _ in 0..<skipped {
                    let (x, y) = (index % mbWidth, index / mbWidth)
                    guard let vector = vectors?.predict(x, y).skipped else { return false }
                    vectors?.note(vector, x, y)
                    if vector != 0 { noteMoved(x, y) }
                    index += 1
                }
            }
            if !bits.hasMore { break }
            guard index < total, bits.unsigned() == 0, bits.signed() == 0 else { return false }  // P_L0_16x16, mvd
            let (x, y) = (index % mbWidth, index / mbWidth)
            let vector = (vectors?.predict(x, y).vector ?? 0) + bits.signed()
            if vector != 0 {
                // Decode only vectors that are whole lines in luma and chroma, and equal for all moved macroblocks.
                guard vector % (is420 ? 8 : 4) == 0, motion == 0 || motion == vector / 4,
                    abs(vector / 4) <= syntax.motionRange
                else { return false }
                motion = vector / 4
                if vectors == nil { vectors = MotionPrediction(mbWidth: mbWidth) }
                noteMoved(x, y)
            }
            vectors?.note(vector, x, y)
            guard readLevels(&bits, index) else { return false }
            index += 1
        }
        return index == total && bits.position == bits.end
    }

    private func noteMoved(_ x: Int, _ y: Int) {
        if let last = moved.last, last.row == y, last.end == x {
            moved[moved.count - 1].end = x + 1
        } else {
            moved.append(MovedRun(row: y, first: x, end: x + 1))
        }
    }

    /// Reads the syntax of a macroblock after its motion vector. Returns false if it is not supported or invalid.
    private func readLevels(_ bits: inout PatchBits, _ index: Int) -> Bool {
        let code = bits.unsigned()
        let patterns = is420 ? reader.patterns420 : reader.patterns444
        guard code < patterns.count else { return false }
        let pattern = Int(patterns[code])
        if pattern == 0 { return true }
        guard coded.count < PatchCoder.maximumBlocks, bits.signed() == 0 else { return false }  // mb_qp_delta
        coded.append(CodedBlock(index: index, firstBlock: blocks.count))
        let own = counts[index]
        let (x, y) = (index % mbWidth, index / mbWidth)
        for base in is420 ? [0] : [0, 16, 32] {
            for i in 0..<16 where pattern & 1 << (i >> 2) != 0 {
                let (bx, by) = PatchCoder.place(i)
                let nC = counts.around(x, y, bx, by, base: base, size: 4)
                guard let count = readBlock(&bits, nC: nC, number: base + i, size: 16, skipping: 0) else {
                    return false
                }
                own[base + i] = UInt8(count)
            }
        }
        guard is420, pattern & 48 != 0 else { return true }
        for c in 0..<2 where readBlock(&bits, nC: -1, number: 48 + c, size: 4, skipping: 0) == nil { return false }
        guard pattern & 32 != 0 else { return true }
        for base in [16, 32] {
            for i in 0..<4 {
                let nC = counts.around(x, y, i & 1, i >> 1, base: base, size: 2)
                guard let count = readBlock(&bits, nC: nC, number: base + i, size: 15, skipping: 1) else {
                    return false
                }
                own[base + i] = UInt8(count)
            }
        }
        return true
    }

    /// Reads a block's levels. Returns the number of nonzero levels; `nil` if the block is invalid.
    ///
    /// - Parameter skipping: the number of leading levels that are coded elsewhere: 1 if the DC level is.
    private func readBlock(_ bits: inout PatchBits, nC: Int, number: Int, size: Int, skipping: Int) -> Int? {
        let first = levels.count
        for _ in 0..<16 { levels.append(0) }
        let count = levels.withUnsafeMutableBufferPointer { buffer -> Int? in
            guard let base = buffer.baseAddress else { return nil }
            return reader.read(&bits, nC: nC, size: size, into: base + first + skipping)
        }
        guard let count, !bits.isBeyondEnd else { return nil }
        if count == 0 {
            levels.removeLast(16)
        } else {
            blocks.append(LevelBlock(number: UInt8(number), firstLevel: first))
        }
        return count
    }

    // MARK: Writing

    /// Moves the moved macroblocks, in an order that reads each sample before it is overwritten.
    private func move(in planes: PatchPlanes) {
        if motion == 0 { return }
        let side = is420 ? 8 : 16
        let planes = [
            SamplePlane(bytes: planes.luma, stride: planes.lumaStride, lines: 16),
            SamplePlane(bytes: planes.cb, stride: planes.chromaStride, lines: side, width: side),
            SamplePlane(bytes: planes.cr, stride: planes.chromaStride, lines: side, width: side),
        ]
        for i in moved.indices {
            let run = moved[motion > 0 ? i : moved.count - 1 - i]
            for plane in planes { plane.move(run.first..<run.end, ofRow: run.row, by: motion, rows: mbHeight) }
        }
    }

    /// Adds the residuals of the coded macroblocks.
    private func add(to planes: PatchPlanes) {
        if coded.isEmpty { return }
        let luma = Quantiser(quantiser)
        let chroma = Quantiser(PatchCoder.chromaQP(quantiser + syntax.chromaQPOffset))
        levels.withUnsafeBufferPointer { levels in
            guard let levels = levels.baseAddress else { return }
            for (i, block) in coded.enumerated() {
                let end = i + 1 < coded.count ? coded[i + 1].firstBlock : blocks.count
                let (x, y) = (block.index % mbWidth, block.index / mbWidth)
                let at = planes.luma + y * 16 * planes.lumaStride + x * 16
                let own = blocks[block.firstBlock..<end]
                for part in own where part.number < 16 {
                    add(part, levels, to: at, planes.lumaStride, luma)
                }
                if is420 {
                    let offset = y * 8 * planes.chromaStride + x * 8
                    addChroma(own, levels, base: 16, to: planes.cb + offset, planes.chromaStride, chroma)
                    addChroma(own, levels, base: 32, to: planes.cr + offset, planes.chromaStride, chroma)
                } else {
                    let offset = y * 16 * planes.chromaStride + x * 16
                    for part in own where part.number >= 16 {
                        let plane = part.number < 32 ? planes.cb : planes.cr
                        add(part, levels, to: plane + offset, planes.chromaStride, chroma)
                    }
                }
            }
        }
    }

    private func add(
        _ part: LevelBlock, _ levels: UnsafePointer<Int16>, to plane: UnsafeMutablePointer<UInt8>, _ stride: Int,
        _ q: Quantiser
    ) {
        let (bx, by) = PatchCoder.place(Int(part.number) & 15)
        q.scaled(Block4x4(scan: levels + part.firstLevel)).addInverse(
            to: plane + by * 4 * stride + bx * 4, stride, step: 1)
    }

    /// Adds the residual of Cb or Cr of 4:2:0 (section 8.5.11).
    private func addChroma(
        _ parts: ArraySlice<LevelBlock>, _ levels: UnsafePointer<Int16>, base: Int,
        to plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ q: Quantiser
    ) {
        var scaled = (Block4x4(), Block4x4(), Block4x4(), Block4x4())
        var dc = SIMD4<Int32>()
        var isThere = false
        for part in parts {
            let number = Int(part.number)
            if number == 48 + (base >> 5) {
                let l = levels + part.firstLevel
                let (a, b, c, d) = (Int32(l[0]), Int32(l[1]), Int32(l[2]), Int32(l[3]))
                dc = SIMD4(a + b + c + d, a - b + c - d, a + b - c - d, a - b - c + d)
                isThere = true
            } else if number >= base, number < base + 4 {
                let block = q.scaled(Block4x4(scan: levels + part.firstLevel))
                switch number - base {
                case 0: scaled.0 = block
                case 1: scaled.1 = block
                case 2: scaled.2 = block
                default: scaled.3 = block
                }
                isThere = true
            }
        }
        guard isThere else { return }
        for i in 0..<4 {
            var block = i == 0 ? scaled.0 : i == 1 ? scaled.1 : i == 2 ? scaled.2 : scaled.3
            block.r0[0] = q.scaledDC(dc[i])
            if block.isZero { continue }
            block.addInverse(to: plane + (i >> 1) * 4 * stride + (i & 1) * 4, stride, step: 1)
        }
    }

    // MARK: Changes

    /// The changes from the previous picture to the one that was read last.
    package var changes: DecodedPatch {
        var region = Region()
        for block in coded {
            region.add(
                PixelRect(x: block.index % mbWidth * 16, y: block.index / mbWidth * 16, width: 16, height: 16))
        }
        if motion == 0 { return DecodedPatch(coded: region) }
        return DecodedPatch(coded: region, scroll: .init(rects: movedRects, motion: motion))
    }

    /// The moved macroblocks as rectangles: runs of equal columns in adjacent rows are merged.
    private var movedRects: [PixelRect] {
        var rects: [PixelRect] = []
        for run in moved {
            let rect = PixelRect(
                x: run.first * 16, y: run.row * 16, width: (run.end - run.first) * 16, height: 16)
            if let last = rects.lastIndex(where: { $0.x == rect.x && $0.width == rect.width && $0.maxY == rect.y }) {
                rects[last].height += 16
            } else {
                rects.append(rect)
            }
        }
        return rects
    }
}
