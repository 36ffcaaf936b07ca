import HelioPatch

/// The macroblocks of a resting picture that have been refined, and the quantiser for the next ones.
///
/// A coarse picture, as on a path of low bandwidth, is refined in passes over the complete picture: to a slightly
/// better quality, then to a good one, then to visually lossless. Macroblocks that are fine enough cost nothing in a
/// pass.
struct RefinementMap: Sendable {
    /// The quantiser of the last pass before the visually lossless one.
    private static let fairQP = 24
    /// The lowest quantiser of a live picture that is refined by coarser passes before the visually lossless one.
    private static let coarseQP = 30
    /// The quantiser steps from pass to pass, which triple the bits.
    private static let passSteps = 10
    /// The work of one piece, in `PatchPiece`'s units: it takes 2 ms at most, so a change by a key press waits no
    /// longer.
    private static let pieceWork = 2000

    /// One byte for each macroblock, in `PatchCoder`'s form: 0 if it is to be examined. `sharp` belongs to the visually
    /// lossless pass, `fair` to the coarser passes before it.
    private var sharp: [UInt8] = []
    private var fair: [UInt8] = []
    /// The start of the next piece: the macroblocks before it were examined, except for later changes.
    private var next = 0
    /// The coarsest quantiser that any macroblock may have; 0 if all are at `fairQP` or finer.
    private var coarsest = 0

    /// True if the whole picture is visually lossless: refinement would not improve it.
    var isSharp: Bool { !sharp.isEmpty && !sharp.contains(0) }

    /// Notes a picture that is about to be encoded.
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

    /// Notes the quantiser of an encoded live picture.
    mutating func coded(at qp: Int) {
        if qp >= Self.coarseQP { coarsest = max(coarsest, qp) }
    }

    /// Notes that a macroblock was encoded again, although the picture has not changed there.
    mutating func touch(_ index: Int) { (sharp[index], fair[index]) = (0, 0) }

    /// Notes that all of the picture is visually lossless.
    mutating func finish() {
        sharp = [UInt8](repeating: 1, count: sharp.count)
        coarsest = 0
    }

    /// Refines a piece: `body` gets the macroblocks to examine, which it marks, the quantiser, and the piece.
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
