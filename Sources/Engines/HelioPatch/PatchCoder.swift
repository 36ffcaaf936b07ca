package import HelioCore

/// Codes a P picture in which only a few macroblocks changed, in time proportional to their number.
///
/// x264 takes some 2.5 ms for a 1080p picture in which nothing changed: it copies the picture and visits each
/// macroblock. This coder writes the slice itself: runs of skipped macroblocks, and for each changed macroblock the
/// difference from the previous picture (P_L0_16x16, no motion, 4x4 transforms, CAVLC; ITU-T H.264 sections 7.3.4, 8.5
/// and 9.2). The picture after a key press then takes a tenth of a millisecond.
///
/// The result is written into x264's own reconstruction of the last picture, which is the reference of x264's next
/// picture. x264 exposes pointers to it (`x264_encoder_encode`, `pic_out`); without deblocking and with full-pixel
/// motion it keeps no other copy. The `frame_num` of x264's later slices is then increased by the number of inserted
/// pictures (`NALCollector`).
package final class PatchCoder {
    /// The largest number of macroblocks coded in one picture.
    package static let maximumBlocks = 400

    /// The planes of x264's last reconstruction, with strides in bytes.
    package struct Reference {
        package let luma: UnsafeMutablePointer<UInt8>
        package let chroma0: UnsafeMutablePointer<UInt8>
        package let chroma1: UnsafeMutablePointer<UInt8>?
        package let lumaStride: Int
        package let chromaStride: Int

        package init(
            luma: UnsafeMutablePointer<UInt8>, chroma0: UnsafeMutablePointer<UInt8>,
            chroma1: UnsafeMutablePointer<UInt8>?, lumaStride: Int, chromaStride: Int
        ) {
            self.luma = luma
            self.chroma0 = chroma0
            self.chroma1 = chroma1
            self.lumaStride = lumaStride
            self.chromaStride = chromaStride
        }
    }

    let syntax: PatchSyntax
    let is420: Bool
    let mbWidth: Int
    let mbHeight: Int
    let tables = CAVLCTables()
    var writer: SliceWriter
    let counts: LevelCounts
    /// The levels of the present macroblock, 16 per block in scan order. Blocks are numbered as in `counts`.
    let levels: UnsafeMutablePointer<Int32>
    private let chromaDC: UnsafeMutablePointer<Int32>
    /// The quantised blocks of a plane of the present macroblock, without their DC: four for 4:2:0 chroma, sixteen for
    /// Intra_16x16.
    let ac: UnsafeMutablePointer<Block4x4>
    /// The DC levels of Intra_16x16 in scan order, 16 for each plane.
    let planeDC: UnsafeMutablePointer<Int32>
    let intra4x4 = IntraPredictor4x4()

    package init(_ syntax: PatchSyntax, chroma: ChromaSampling, mbWidth: Int, mbHeight: Int) {
        self.syntax = syntax
        is420 = chroma == .yuv420
        self.mbWidth = mbWidth
        self.mbHeight = mbHeight
        writer = SliceWriter(capacity: Self.capacity(coded: Self.maximumBlocks, of: mbWidth * mbHeight))
        counts = LevelCounts(mbWidth: mbWidth, mbHeight: mbHeight)
        levels = .allocate(capacity: 48 * 16)
        levels.initialize(repeating: 0, count: 48 * 16)
        chromaDC = .allocate(capacity: 8)
        chromaDC.initialize(repeating: 0, count: 8)
        ac = .allocate(capacity: 16)
        ac.initialize(repeating: Block4x4(), count: 16)
        planeDC = .allocate(capacity: 48)
        planeDC.initialize(repeating: 0, count: 48)
    }

    deinit {
        levels.deallocate()
        chromaDC.deallocate()
        ac.deallocate()
        planeDC.deallocate()
    }

    /// Codes the changed macroblocks of `picture` against `reference`, which is updated to the picture that a decoder
    /// will have.
    ///
    /// - Parameters:
    ///   - done: one byte per macroblock: 1 to skip the macroblock, 0 to examine it, which sets the byte to 1.
    ///   - frameNumber: the full `frame_num`, before truncation to its bits.
    ///   - byteLimit: the slice size in bytes at which the remaining macroblocks are left for a later picture.
    /// - Returns: one slice, as an Annex-B NAL unit, and the macroblocks that it codes, outside of which no sample
    ///   changes.
    package func encode(
        _ picture: MacroblockPicture, into reference: Reference, where done: UnsafeMutablePointer<UInt8>,
        frameNumber: Int, qp: Int, byteLimit: Int = .max
    ) -> (slice: [UInt8], blocks: BlockSet) {
        var all = PatchPiece(work: .max)
        return encode(
            picture, into: reference, where: done, frameNumber: frameNumber, qp: qp, byteLimit: byteLimit, piece: &all)
    }

    /// Codes a part of the changed macroblocks of `picture` against `reference`: begins at `piece.next`, which is
    /// advanced, and stops once `piece.work` is used up.
    package func encode(
        _ picture: MacroblockPicture, into reference: Reference, where done: UnsafeMutablePointer<UInt8>,
        frameNumber: Int, qp: Int, byteLimit: Int, piece: inout PatchPiece
    ) -> (slice: [UInt8], blocks: BlockSet) {
        begin(frameNumber: frameNumber, qp: qp)
        let luma = Quantiser(qp)
        let chroma = Quantiser(Self.chromaQP(qp + syntax.chromaQPOffset))
        let total = mbWidth * mbHeight
        // The index of the first macroblock that the slice does not cover yet.
        var written = 0
        var coded: [Int] = []
        var blocks = BlockSet(blockCount: total)
        var index = piece.next
        var work = piece.work
        let marks = BlockMarks(done, count: total)
        while let found = marks.firstZero(from: index) {
            index = found
            if work <= 0 || coded.count == Self.maximumBlocks || writer.byteCount >= byteLimit { break }
            index += 1
            done[found] = 1
            work -= PatchPiece.costOfLooking
            let (y, x) = found.quotientAndRemainder(dividingBy: mbWidth)
            guard analyse(picture, reference, x, y, luma, chroma) else { continue }
            work -= PatchPiece.costOfCoding
            writer.unsigned(found - written)
            written = index
            coded.append(found)
            blocks.insert(found)
            write(x, y, motionDifference: 0)
            if x == 0 || y == 0 || x == mbWidth - 1 || y == mbHeight - 1 { pad(reference, x, y) }
        }
        // If no macroblock is left up to the end, continue at 0, as some may be left before the beginning of this
        // piece.
        piece.next = marks.firstZero(from: index) ?? 0
        let skipped = total - written
        if skipped > 0 { writer.unsigned(skipped) }
        for index in coded { counts.clear(index) }
        return (writer.annexB(header: 0x41), blocks)
    }

    /// Codes a picture most of which has moved up or down. All moved macroblocks are coded by one motion vector, in a
    /// few bytes together, and in a third of the time that x264 takes to detect the motion.
    ///
    /// - Parameter reference: the reconstruction, which is updated to the picture that a decoder will have.
    /// - Returns: one slice, as an Annex-B NAL unit.
    package func encode(
        _ picture: MacroblockPicture, into reference: Reference, by plan: ScrollPlan, frameNumber: Int, qp: Int
    ) -> [UInt8] {
        begin(frameNumber: frameNumber, qp: qp)
        let luma = Quantiser(qp, isClose: true)
        let chroma = Quantiser(Self.chromaQP(qp + syntax.chromaQPOffset), isClose: true)
        // Move all moving macroblocks first, so that the reference holds each macroblock's prediction.
        move(reference, plan)
        var motion = MotionPrediction(mbWidth: mbWidth)
        var skipped = 0
        var coded: [Int] = []
        for y in 0..<mbHeight {
            for x in 0..<mbWidth {
                let index = y * mbWidth + x
                let kind = plan.kinds[index]
                let vector = kind.moves ? plan.motion * 4 : 0
                let predicted = motion.predict(x, y)
                motion.note(vector, x, y)
                let hasLevels = kind.isNew && analyse(picture, reference, x, y, luma, chroma)
                if !hasLevels, vector == predicted.skipped {
                    skipped &+= 1
                    continue
                }
                writer.unsigned(skipped)
                skipped = 0
                if hasLevels {
                    coded.append(index)
                } else {
                    pattern = 0
                }
                write(x, y, motionDifference: vector - predicted.vector)
            }
        }
        if skipped > 0 { writer.unsigned(skipped) }
        for index in coded { counts.clear(index) }
        for y in [0, mbHeight - 1] { for x in 0..<mbWidth { pad(reference, x, y) } }
        for y in 0..<mbHeight { for x in [0, mbWidth - 1] { pad(reference, x, y) } }
        return writer.annexB(header: 0x41)
    }

    /// Moves the samples of the moving macroblocks, in an order that reads each sample before it is overwritten.
    private func move(_ r: Reference, _ plan: ScrollPlan) {
        var planes = [SamplePlane(bytes: r.luma, stride: r.lumaStride, lines: 16)]
        planes.append(SamplePlane(bytes: r.chroma0, stride: r.chromaStride, lines: is420 ? 8 : 16))
        if !is420, let cr = r.chroma1 { planes.append(SamplePlane(bytes: cr, stride: r.chromaStride, lines: 16)) }
        let isUp = plan.motion > 0
        for row in 0..<mbHeight {
            let y = isUp ? row : mbHeight - 1 - row
            var x = 0
            while x < mbWidth {
                let first = x
                while x < mbWidth, plan.kinds[y * mbWidth + x].moves { x += 1 }
                if x == first {
                    x += 1
                    continue
                }
                for plane in planes { plane.move(first..<x, ofRow: y, by: plan.motion, rows: mbHeight) }
            }
        }
    }

    /// Reserves capacity for a slice with this number of coded macroblocks. The capacity may be generous, as memory
    /// that was never written is not resident.
    func reserve(blocks: Int) {
        let needed = Self.capacity(coded: blocks, of: mbWidth * mbHeight)
        if writer.capacity < needed { writer = SliceWriter(capacity: needed) }
    }

    /// The capacity of a slice in bytes. A level takes at most 28 bits, so the 768 levels of a macroblock and their
    /// syntax fit 3 KiB. A macroblock that only moved takes at most 8 bytes.
    private static func capacity(coded: Int, of total: Int) -> Int { coded * 3072 + total * 8 + 4096 }

    /// Writes the `slice_header`.
    func begin(frameNumber: Int, qp: Int) {
        writer.begin(syntax, firstBlock: 0, frameNumber: frameNumber, qp: qp)
    }

    /// Maps the luma quantiser with the chroma offset to the chroma quantiser (table 8-15).
    static func chromaQP(_ index: Int) -> Int {
        let clipped = max(0, min(51, index))
        let high = [29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39]
        return clipped < 30 ? clipped : high[clipped - 30]
    }

    // MARK: Transform and reconstruction

    var pattern = 0

    /// Transforms and quantises a macroblock's residual, and adds the decoded result to the reference.
    ///
    /// - Returns: false if all levels are 0, so that the macroblock can be skipped.
    private func analyse(
        _ p: MacroblockPicture, _ r: Reference, _ x: Int, _ y: Int, _ luma: Quantiser, _ chroma: Quantiser
    ) -> Bool {
        let count = counts[y * mbWidth + x]
        pattern = 0
        let lumaAt = y * 16 * p.lumaStride + x * 16
        plane(p.luma + lumaAt, p.lumaStride, r.luma + y * 16 * r.lumaStride + x * 16, r.lumaStride, 0, count, luma)
        if is420 {
            analyseChroma(p, r, x, y, count, chroma)
        } else if let cr = r.chroma1 {
            let from = y * 16 * p.chromaStride + x * 16
            let to = y * 16 * r.chromaStride + x * 16
            plane(p.chroma0 + from, p.chromaStride, r.chroma0 + to, r.chromaStride, 16, count, chroma)
            plane(p.chroma1 + from, p.chromaStride, cr + to, r.chromaStride, 32, count, chroma)
        }
        return pattern != 0
    }

    /// Codes the sixteen 4x4 blocks of a full-size plane. Sets the bits of `pattern` for the 8x8 blocks with nonzero
    /// levels.
    private func plane(
        _ source: UnsafeMutablePointer<UInt8>, _ sourceStride: Int, _ target: UnsafeMutablePointer<UInt8>,
        _ targetStride: Int, _ base: Int, _ count: UnsafeMutablePointer<UInt8>, _ q: Quantiser
    ) {
        for i in 0..<16 {
            let (bx, by) = Self.place(i)
            let from = source + by * 4 * sourceStride + bx * 4
            let to = target + by * 4 * targetStride + bx * 4
            let level = levels + (base + i) * 16
            count[base + i] = 0
            var block = Block4x4(from, sourceStride, minus: to, targetStride, step: 1)
            if block.isZero { continue }
            block.transform()
            let quantised = q.quantised(block)
            if quantised.isZero { continue }
            count[base + i] = UInt8(quantised.scan(into: level))
            pattern |= 1 << (i >> 2)
            q.scaled(quantised).addInverse(to: to, targetStride, step: 1)
        }
    }

    /// Codes the interleaved Cb and Cr of 4:2:0: four blocks each, with their DC coefficients coded separately (section
    /// 8.5.11).
    func analyseChroma(
        _ p: MacroblockPicture, _ r: Reference, _ x: Int, _ y: Int, _ count: UnsafeMutablePointer<UInt8>, _ q: Quantiser
    ) {
        var hasAC = false
        var hasDC = false
        var dc = SIMD4<Int32>()
        for c in 0..<2 {
            let source = p.chroma0 + y * 8 * p.chromaStride + x * 16 + c
            let target = r.chroma0 + y * 8 * r.chromaStride + x * 16 + c
            let base = 16 + c * 16
            for i in 0..<4 {
                let from = source + (i >> 1) * 4 * p.chromaStride + (i & 1) * 8
                let to = target + (i >> 1) * 4 * r.chromaStride + (i & 1) * 8
                count[base + i] = 0
                var block = Block4x4(from, p.chromaStride, minus: to, r.chromaStride, step: 2)
                block.transform()
                dc[i] = block.r0[0]
                block.r0[0] = 0
                let quantised = q.quantised(block)
                ac[i] = quantised
                if quantised.isZero { continue }
                count[base + i] = UInt8(quantised.scan(into: levels + (base + i) * 16))
                hasAC = true
            }
            let out = chromaDC + c * 4
            out[0] = q.quantisedDC(dc[0] + dc[1] + dc[2] + dc[3])
            out[1] = q.quantisedDC(dc[0] - dc[1] + dc[2] - dc[3])
            out[2] = q.quantisedDC(dc[0] + dc[1] - dc[2] - dc[3])
            out[3] = q.quantisedDC(dc[0] - dc[1] - dc[2] + dc[3])
            let (a, b, e, f) = (out[0], out[1], out[2], out[3])
            if a | b | e | f != 0 { hasDC = true }
            let back = SIMD4(a + b + e + f, a - b + e - f, a + b - e - f, a - b - e + f)
            for i in 0..<4 where count[base + i] != 0 || back[i] != 0 {
                var block = q.scaled(ac[i])
                block.r0[0] = q.scaledDC(back[i])
                let to = target + (i >> 1) * 4 * r.chromaStride + (i & 1) * 8
                block.addInverse(to: to, r.chromaStride, step: 2)
            }
        }
        if hasAC { pattern |= 32 } else if hasDC { pattern |= 16 }
    }

    // MARK: Syntax

    /// Writes the `macroblock_layer` of the macroblock that `analyse` processed last.
    ///
    /// - Parameter motionDifference: the vertical motion vector minus the predicted one, in quarters of a line.
    private func write(_ x: Int, _ y: Int, motionDifference: Int) {
        writer.put(0b11, 2)  // mb_type P_L0_16x16, mvd_l0 horizontal
        writer.signed(motionDifference)
        writer.unsigned(Int((is420 ? tables.pattern420 : tables.pattern444)[pattern]))
        if pattern == 0 { return }
        writer.signed(0)  // mb_qp_delta
        writeResidual(x, y)
    }

    /// Writes the `residual` of the present macroblock.
    ///
    /// - Parameter hasDC: true for Intra_16x16, with which each plane's DC levels are written first, separately.
    func writeResidual(_ x: Int, _ y: Int, hasDC: Bool = false) {
        let count = counts[y * mbWidth + x]
        for base in is420 ? [0] : [0, 16, 32] {
            if hasDC {
                writer.residual(
                    planeDC + base, count: 16, token: token(x, y, 0, 0, base: base, size: 4), zeros: tables.totalZeros,
                    zeroStride: 16, tables)
            }
            for i in 0..<16 {
                if pattern & 1 << (i >> 2) == 0 { continue }
                let (bx, by) = Self.place(i)
                let token = token(x, y, bx, by, base: base, size: 4)
                // The levels of an empty block were not written, so `levels` holds stale values for it.
                if count[base + i] == 0 {
                    writer.put(token[0])
                } else {
                    let skipped = hasDC ? 1 : 0
                    writer.residual(
                        levels + (base + i) * 16 + skipped, count: 16 - skipped, token: token,
                        zeros: tables.totalZeros, zeroStride: 16, tables)
                }
            }
        }
        guard is420, pattern & 48 != 0 else { return }
        for c in 0..<2 {
            writer.residual(
                chromaDC + c * 4, count: 4, token: tables.chromaToken, zeros: tables.chromaTotalZeros, zeroStride: 4,
                tables)
        }
        guard pattern & 32 != 0 else { return }
        for c in 0..<2 {
            for i in 0..<4 {
                let base = 16 + c * 16
                let token = token(x, y, i & 1, i >> 1, base: base, size: 2)
                if count[base + i] == 0 {
                    writer.put(token[0])
                } else {
                    writer.residual(
                        levels + (base + i) * 16 + 1, count: 15, token: token, zeros: tables.totalZeros, zeroStride: 16,
                        tables)
                }
            }
        }
    }

    /// The `coeff_token` table of a block, selected by nC from the blocks to the left and above (section 9.2.1).
    private func token(
        _ x: Int, _ y: Int, _ bx: Int, _ by: Int, base: Int, size: Int
    ) -> UnsafeMutablePointer<CAVLCTables.Code> {
        let n = counts.around(x, y, bx, by, base: base, size: size)
        return tables.coefficientToken + (n < 2 ? 0 : n < 4 ? 68 : n < 8 ? 136 : 204)
    }

    /// The position of 4x4 block `i` in its plane, in blocks: 8x8 blocks are in Z order, and so are the 4x4 blocks in
    /// each.
    static func place(_ i: Int) -> (x: Int, y: Int) {
        ((i & 1) | (i >> 1 & 2), (i >> 1 & 1) | (i >> 2 & 2))
    }

    /// The index of the block at a position: in Z order for planes of 4x4 blocks, row by row for planes of 2x2 blocks.
    static func index(_ bx: Int, _ by: Int, _ size: Int) -> Int {
        size == 2 ? by * 2 + bx : (bx & 1) | (by & 1) << 1 | (bx & 2) << 1 | (by & 2) << 2
    }

    // MARK: Edges

    /// The number of columns and rows of padding that x264 keeps around each plane, for motion vectors that point
    /// outside.
    private static let padding = 32

    /// Returns whether the luma plane is padded as `pad` assumes: with copies of the pixels at its edge.
    package static func isPadded(_ r: Reference, rows: Int) -> Bool {
        for row in stride(from: 0, to: rows, by: 16) {
            let at = r.luma + row * r.lumaStride
            for i in 1...padding where at[-i] != at[0] { return false }
        }
        for i in 1...padding where r.luma[-i * r.lumaStride] != r.luma[0] { return false }
        return r.lumaStride >= padding * 2
    }

    /// Updates the padding next to a macroblock at the picture's edge, as x264 does for its own macroblocks.
    func pad(_ r: Reference, _ x: Int, _ y: Int) {
        pad(r.luma, r.lumaStride, x, y, rows: 16, step: 1)
        pad(r.chroma0, r.chromaStride, x, y, rows: is420 ? 8 : 16, step: is420 ? 2 : 1)
        if !is420, let cr = r.chroma1 { pad(cr, r.chromaStride, x, y, rows: 16, step: 1) }
    }

    /// Updates the padding of one plane.
    ///
    /// - Parameter step: the bytes between samples of the same component. A macroblock is 16 bytes wide in all planes.
    private func pad(
        _ plane: UnsafeMutablePointer<UInt8>, _ stride: Int, _ x: Int, _ y: Int, rows: Int, step: Int
    ) {
        let width = mbWidth * 16
        let height = mbHeight * rows
        let vertical = Self.padding * rows / 16
        for row in y * rows..<(y + 1) * rows {
            let start = plane + row * stride
            if x == 0 { for i in 0..<Self.padding { start[-Self.padding + i] = start[i % step] } }
            if x == mbWidth - 1 {
                for i in 0..<Self.padding { start[width + i] = start[width - step + i % step] }
            }
        }
        let from = x == 0 ? -Self.padding : x * 16
        let to = x == mbWidth - 1 ? width + Self.padding : (x + 1) * 16
        if y == 0 {
            for i in 1...vertical { (plane + from - i * stride).update(from: plane + from, count: to - from) }
        }
        if y == mbHeight - 1 {
            let last = plane + (height - 1) * stride + from
            for i in 1...vertical { (last + i * stride).update(from: last, count: to - from) }
        }
    }
}
