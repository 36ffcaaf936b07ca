import HelioPatch

/// Which macroblocks of a resting picture have been refined, and how finely the next ones are to be.
///
/// A picture that came coarse, as over a narrow path, is refined in passes: first all of it a little, then all of it so
/// far that it is good, and then to visually lossless. What is fine as it is costs nothing in a pass.
struct RefinementMap: Sendable {
    /// The quantiser of the last pass before visually lossless.
    private static let fairQP = 24
    /// The quantiser from which on a live picture needs more than that one.
    private static let coarseQP = 30
    /// The quantiser steps from pass to pass: three times the bits.
    private static let passSteps = 10
    /// The work of a piece, which takes 2 ms at most: a key that is pressed meanwhile waits no longer.
    private static let pieceWork = 2000

    /// One byte for each macroblock, as `PatchCoder` takes them: 0 where it is to be looked at.
    private var sharp: [UInt8] = []
    private var fair: [UInt8] = []
    /// Where the next piece begins: what is before it was looked at already, but for what has changed since.
    private var next = 0
    /// The coarsest quantiser that any macroblock may have; 0 where all are fair.
    private var coarsest = 0

    /// True where the whole picture is visually lossless: refinement would bring nothing.
    var isSharp: Bool { !sharp.isEmpty && !sharp.contains(0) }

    /// Notes a picture that is about to be coded.
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

    /// Notes the quantiser at which a live picture was coded.
    mutating func coded(at qp: Int) {
        if qp >= Self.coarseQP { coarsest = max(coarsest, qp) }
    }

    /// Notes that a macroblock was coded anew, though the picture has not changed there.
    mutating func touch(_ index: Int) { (sharp[index], fair[index]) = (0, 0) }

    /// Notes that all of the picture is visually lossless.
    mutating func finish() {
        sharp = [UInt8](repeating: 1, count: sharp.count)
        coarsest = 0
    }

    /// Refines a piece: `body` gets the macroblocks to look at, which it marks, the quantiser, and where the piece is.
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
        // Only where nothing is left behind it can nothing be left at all.
        if piece.next == 0, !fair.contains(0) {
            fair = [UInt8](repeating: 0, count: fair.count)
            coarsest = qp > Self.fairQP ? qp : 0
        }
        return result
    }
}
