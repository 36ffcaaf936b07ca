/// The coding of repair pictures, which repair the picture of a viewer that has lost pictures, and don't harm that of
/// other viewers.
extension PatchCoder {
    /// A plane of a macroblock's samples: in the source picture, and in the reference, into which the prediction and
    /// the decoded result are written.
    private struct Plane {
        let source: UnsafeMutablePointer<UInt8>
        let sourceStride: Int
        let target: UnsafeMutablePointer<UInt8>
        let targetStride: Int
        /// The index of the plane's first 4x4 block.
        let base: Int
        let quantiser: Quantiser
    }

    /// The state of a slice with intra macroblocks.
    private struct IntraSlice {
        let chroma: Quantiser
        /// The rate-distortion factor: the sum of absolute differences that costs as much as one bit.
        let lambda: Int
        var modes: IntraModes
    }

    /// Codes a P picture in which the macroblocks in `blocks` are intra coded and all others are skipped.
    ///
    /// A decoder whose samples of the skipped macroblocks are correct has a correct picture afterwards. Macroblocks are
    /// coded as Intra_4x4 or Intra_16x16 (ITU-T H.264 sections 7.3.5 and 8.3), also by prediction from skipped
    /// neighbours, which are equal at all such decoders.
    ///
    /// - Parameters:
    ///   - reference: the reconstruction, which is updated to the picture that a decoder will have.
    ///   - blocks: the macroblocks to code; `maximumBlocks` does not apply.
    ///   - qp: the luma quantiser, at least 12, so that no level exceeds the range of its code.
    /// - Returns: one slice, as an Annex-B NAL unit.
    package func encodeRepair(
        _ picture: MacroblockPicture, into reference: Reference, of blocks: BlockSet, frameNumber: Int, qp: Int
    ) -> [UInt8] {
        precondition(qp >= 12 && blocks.blockCount == mbWidth * mbHeight)
        reserve(blocks: blocks.count)
        begin(frameNumber: frameNumber, qp: qp)
        let luma = Quantiser(qp, isClose: true)
        let chroma = Quantiser(Self.chromaQP(qp + syntax.chromaQPOffset), isClose: true)
        var slice = IntraSlice(chroma: chroma, lambda: 1 << ((qp - 12) / 6), modes: IntraModes(mbWidth: mbWidth))
        var skipped = 0
        var coded: [Int] = []
        for y in 0..<mbHeight {
            for x in 0..<mbWidth {
                let index = y * mbWidth + x
                guard blocks.contains(index) else {
                    skipped &+= 1
                    slice.modes.pass(x, isIntra4x4: false)
                    continue
                }
                writer.unsigned(skipped)
                skipped = 0
                coded.append(index)
                encodeIntra(planes(picture, reference, x, y, luma, chroma), picture, reference, x, y, &slice)
                if x == 0 || y == 0 || x == mbWidth - 1 || y == mbHeight - 1 { pad(reference, x, y) }
            }
        }
        if skipped > 0 { writer.unsigned(skipped) }
        for index in coded { counts.clear(index) }
        return writer.annexB(header: 0x41)
    }

    private func planes(
        _ p: MacroblockPicture, _ r: Reference, _ x: Int, _ y: Int, _ luma: Quantiser, _ chroma: Quantiser
    ) -> [Plane] {
        let from = y * 16 * p.lumaStride + x * 16
        let to = y * 16 * r.lumaStride + x * 16
        var planes = [
            Plane(
                source: p.luma + from, sourceStride: p.lumaStride, target: r.luma + to, targetStride: r.lumaStride,
                base: 0, quantiser: luma)
        ]
        guard !is420, let cr = r.chroma1 else { return planes }
        for (source, target, base) in [(p.chroma0, r.chroma0, 16), (p.chroma1, cr, 32)] {
            planes.append(
                Plane(
                    source: source + y * 16 * p.chromaStride + x * 16, sourceStride: p.chromaStride,
                    target: target + y * 16 * r.chromaStride + x * 16, targetStride: r.chromaStride, base: base,
                    quantiser: chroma))
        }
        return planes
    }

    private func encodeIntra(
        _ planes: [Plane], _ p: MacroblockPicture, _ r: Reference, _ x: Int, _ y: Int, _ slice: inout IntraSlice
    ) {
        let neighbours = IntraPredictor16x16.Neighbours(left: x > 0, above: y > 0)
        let count = counts[y * mbWidth + x]
        pattern = 0
        let whole = bestWhole(planes, neighbours)
        // Sixteen predictions are not worth their bits if one prediction for the whole macroblock fits well.
        var is4x4 = whole.difference > 32 * slice.lambda
        if is4x4 {
            let cost = transform4x4(planes, x, y, count, &slice)
            is4x4 = cost < whole.difference
        }
        if !is4x4 {
            pattern = 0
            transform16x16(planes, whole.mode, neighbours, count)
        }
        var chromaMode = IntraPredictor16x16.Mode.dc
        if is420 {
            chromaMode = predictChroma(p, r, x, y, neighbours)
            analyseChroma(p, r, x, y, count, slice.chroma)
        }
        if is4x4 {
            write4x4(x, y, chromaMode, slice.modes)
        } else {
            // mb_type: the number of table 7-11, plus 5 for the inter types of a P slice (table 7-13).
            writer.unsigned(6 + whole.mode.rawValue + 4 * (pattern >> 4) + (pattern & 15 != 0 ? 12 : 0))
            if is420 { writer.unsigned(chromaMode.chromaNumber) }
            writer.signed(0)  // mb_qp_delta
            writeResidual(x, y, hasDC: true)
        }
        slice.modes.pass(x, isIntra4x4: is4x4)
    }

    // MARK: Intra_16x16

    /// Finds the Intra_16x16 mode with the least sum of absolute differences. Overwrites the macroblock in the
    /// reference.
    private func bestWhole(
        _ planes: [Plane], _ neighbours: IntraPredictor16x16.Neighbours
    ) -> (mode: IntraPredictor16x16.Mode, difference: Int) {
        var best = (mode: IntraPredictor16x16.Mode.dc, difference: Int.max)
        for mode in IntraPredictor16x16.Mode.allCases where neighbours.allows(mode) {
            var difference = 0
            for p in planes {
                IntraPredictor16x16.write(mode, to: p.target, p.targetStride, neighbours)
                difference += IntraPredictor16x16.difference(
                    p.source, p.sourceStride, p.target, p.targetStride, rows: 16)
            }
            if difference < best.difference { best = (mode, difference) }
        }
        return best
    }

    /// Codes the full-size planes as Intra_16x16, with a second transform of the sixteen blocks' DC coefficients
    /// (section 8.5.2).
    private func transform16x16(
        _ planes: [Plane], _ mode: IntraPredictor16x16.Mode, _ neighbours: IntraPredictor16x16.Neighbours,
        _ count: UnsafeMutablePointer<UInt8>
    ) {
        for p in planes {
            IntraPredictor16x16.write(mode, to: p.target, p.targetStride, neighbours)
            var dc = Block4x4()
            for i in 0..<16 {
                let (bx, by) = Self.place(i)
                var block = Block4x4(
                    p.source + by * 4 * p.sourceStride + bx * 4, p.sourceStride,
                    minus: p.target + by * 4 * p.targetStride + bx * 4, p.targetStride, step: 1)
                block.transform()
                dc[bx, by] = block.r0[0]
                block.r0[0] = 0
                let quantised = p.quantiser.quantised(block)
                ac[i] = quantised
                count[p.base + i] = 0
                if quantised.isZero { continue }
                count[p.base + i] = UInt8(quantised.scan(into: levels + (p.base + i) * 16))
                pattern |= 15
            }
            dc.transformDC()
            dc = p.quantiser.quantisedPlaneDC(dc)
            _ = dc.scan(into: planeDC + p.base)
            dc.transformDC()
            for i in 0..<16 {
                let (bx, by) = Self.place(i)
                let scaled = p.quantiser.scaledPlaneDC(dc[bx, by])
                if scaled == 0, count[p.base + i] == 0 { continue }
                var block = p.quantiser.scaled(ac[i])
                block.r0[0] = scaled
                block.addInverse(
                    to: p.target + by * 4 * p.targetStride + bx * 4, p.targetStride, step: 1)
            }
        }
    }

    // MARK: Intra_4x4

    /// Codes the full-size planes as Intra_4x4, block by block, as each block is predicted from earlier ones.
    ///
    /// - Returns: the cost: the absolute differences of the predictions, plus `lambda` for each bit of their modes.
    private func transform4x4(
        _ planes: [Plane], _ x: Int, _ y: Int, _ count: UnsafeMutablePointer<UInt8>, _ slice: inout IntraSlice
    ) -> Int {
        var cost = 0
        for p in planes {
            for i in 0..<16 {
                let (bx, by) = Self.place(i)
                let from = p.source + by * 4 * p.sourceStride + bx * 4
                let to = p.target + by * 4 * p.targetStride + bx * 4
                intra4x4.look(to, p.targetStride, neighbours(x, y, bx, by, i))
                var mode = IntraPredictor4x4.Mode.dc
                if p.base == 0 {
                    // Choose the mode by luma, as all planes share it.
                    let predicted = slice.modes.predicted(x, y, bx, by)
                    var least = Int.max
                    for candidate in IntraPredictor4x4.Mode.all where intra4x4.allows(candidate) {
                        let bits = candidate.rawValue == predicted ? 1 : 4
                        let sum = intra4x4.difference(candidate, from, p.sourceStride) + bits * slice.lambda
                        if sum < least { (mode, least) = (candidate, sum) }
                    }
                    slice.modes[bx, by] = mode.rawValue
                    cost += least
                } else {
                    mode = IntraPredictor4x4.Mode(rawValue: slice.modes[bx, by]) ?? .dc
                    cost += intra4x4.difference(mode, from, p.sourceStride)
                }
                intra4x4.write(mode, to: to, p.targetStride)
                count[p.base + i] = 0
                var block = Block4x4(from, p.sourceStride, minus: to, p.targetStride, step: 1)
                if block.isZero { continue }
                block.transform()
                let quantised = p.quantiser.quantised(block)
                if quantised.isZero { continue }
                count[p.base + i] = UInt8(quantised.scan(into: levels + (p.base + i) * 16))
                pattern |= 1 << (i >> 2)
                p.quantiser.scaled(quantised).addInverse(to: to, p.targetStride, step: 1)
            }
        }
        return cost
    }

    /// The availability of block `i`'s neighbours (section 6.4.11.4). The block above to the right is unavailable if it
    /// is coded after block `i`.
    private func neighbours(_ x: Int, _ y: Int, _ bx: Int, _ by: Int, _ i: Int) -> IntraPredictor4x4.Neighbours {
        let aboveRight =
            by == 0
            ? y > 0 && (bx < 3 || x + 1 < mbWidth)
            : bx < 3 && Self.index(bx + 1, by - 1, 4) < i
        return IntraPredictor4x4.Neighbours(left: bx > 0 || x > 0, above: by > 0 || y > 0, aboveRight: aboveRight)
    }

    private func write4x4(
        _ x: Int, _ y: Int, _ chromaMode: IntraPredictor16x16.Mode, _ modes: IntraModes
    ) {
        writer.unsigned(5)  // mb_type I_NxN of a P slice
        for i in 0..<16 {
            let (bx, by) = Self.place(i)
            let mode = modes[bx, by]
            let predicted = modes.predicted(x, y, bx, by)
            if mode == predicted {
                writer.put(1, 1)  // prev_intra4x4_pred_mode_flag
            } else {
                // prev_intra4x4_pred_mode_flag, which is 0, and rem_intra4x4_pred_mode.
                writer.put(UInt32(mode < predicted ? mode : mode - 1), 4)
            }
        }
        if is420 { writer.unsigned(chromaMode.chromaNumber) }
        writer.unsigned(Int((is420 ? tables.intraPattern420 : tables.intraPattern444)[pattern]))
        if pattern == 0 { return }
        writer.signed(0)  // mb_qp_delta
        writeResidual(x, y)
    }

    // MARK: Chroma of 4:2:0

    /// Chooses the chroma mode with the least sum of absolute differences, and writes its prediction into the
    /// reference.
    private func predictChroma(
        _ p: MacroblockPicture, _ r: Reference, _ x: Int, _ y: Int, _ neighbours: IntraPredictor16x16.Neighbours
    ) -> IntraPredictor16x16.Mode {
        let source = p.chroma0 + y * 8 * p.chromaStride + x * 16
        let target = r.chroma0 + y * 8 * r.chromaStride + x * 16
        var best = (mode: IntraPredictor16x16.Mode.dc, difference: Int.max)
        // Try DC first, so that it wins ties, as its mode number takes the fewest bits.
        for mode in [IntraPredictor16x16.Mode.dc, .horizontal, .vertical] where neighbours.allows(mode) {
            IntraPredictor16x16.writeChroma(mode, to: target, r.chromaStride, neighbours)
            let difference = IntraPredictor16x16.difference(
                source, p.chromaStride, target, r.chromaStride, rows: 8)
            if difference < best.difference { best = (mode, difference) }
        }
        IntraPredictor16x16.writeChroma(best.mode, to: target, r.chromaStride, neighbours)
        return best.mode
    }
}
