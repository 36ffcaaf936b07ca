import HelioPatch

/// The progress of a resting picture's refinement: the macroblocks already refined, and the quantiser of the present
/// pass.
///
/// A coarse picture, as on a low-bandwidth path, is refined in several passes over the whole picture, each of a lower
/// quantiser; the last pass is visually lossless. Macroblocks that are already fine enough cost nothing in a pass.
struct RefinementMap: Sendable {
    /// The quantiser of the last pass before the visually lossless one.
    private static let fairQP = 24
    /// Live pictures of this quantiser or a higher one get coarser passes before the visually lossless one.
    private static let coarseQP = 30
    /// The quantiser's decrease from pass to pass: 10 steps triple the bits.
    private static let passSteps = 10
    /// The work of one `PatchPiece`, in its units. A piece takes 2 ms at most, so a change by a key press waits no
    /// longer than that.
    private static let pieceWork = 2000

    /// One byte for each macroblock, in `PatchCoder`'s form: 0 if it is to be examined. `sharp` belongs to the visually
    /// lossless pass, `fair` to the coarser passes before it.
    private var sharp: [UInt8] = []
    private var fair: [UInt8] = []
    /// The index of the next piece's first macroblock. The macroblocks before it were examined in this pass, except
    /// those changed since.
    private var next = 0
    /// The highest quantiser that any macroblock may still have; 0 if coarser passes are not needed.
    private var coarsest = 0

    /// True if the whole picture is visually lossless, so that refinement would not improve it.
    var isSharp: Bool { !sharp.isEmpty && !sharp.contains(0) }

    /// Resets the macroblocks that changed in a picture that is about to be encoded; a keyframe resets all of them.
    mutating func note(_ picture: MacroblockPicture, isKeyframe: Bool) {
        let total = picture.blockCount
        if sharp.count != total || isKeyframe {
            sharp = [UInt8](repeating: 0, count: total)
            fair = sharp
            next = 0
            if isKeyframe { coarsest = 0 }
        } else {
            picture.marks.forEachZero { touch($0) }
        }
    }

    /// Records the quantiser of an encoded live picture.
    mutating func coded(at qp: Int) {
        if qp >= Self.coarseQP { coarsest = max(coarsest, qp) }
    }

    /// Marks a macroblock as unrefined, as it was encoded again although the picture has not changed there.
    mutating func touch(_ index: Int) { (sharp[index], fair[index]) = (0, 0) }

    /// Marks all macroblocks as visually lossless.
    mutating func finish() {
        sharp = [UInt8](repeating: 1, count: sharp.count)
        coarsest = 0
    }

    /// Refines the next piece of the picture. `body` gets the map of macroblocks (0 for each one to examine), in which
    /// it marks the examined ones, and the pass's quantiser and piece.
    mutating func refine<Result>(
        _ body: (UnsafeMutablePointer<UInt8>, _ qp: Int, _ piece: inout PatchPiece) -> Result
    ) -> Result? {
        var piece = PatchPiece(next: next, work: Self.pieceWork)
        defer { next = piece.next }
        func pass(_ map: inout [UInt8], _ qp: Int) -> Result? {
            map.withUnsafeMutableBufferPointer { $0.baseAddress.map { body($0, qp, &piece) } }
        }
        guard coarsest > 0 else {
            return pass(&sharp, QualityControl.refinementQPs[QualityControl.refinementQPs.count - 1])
        }
        let qp = max(Self.fairQP, coarsest - Self.passSteps)
        let result = pass(&fair, qp)
        // The pass can be complete only if it has reached the picture's end.
        if piece.next == 0, !fair.contains(0) {
            fair = [UInt8](repeating: 0, count: fair.count)
            coarsest = qp > Self.fairQP ? qp : 0
        }
        return result
    }
}
