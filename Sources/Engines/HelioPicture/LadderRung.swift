package import HelioCore
import HelioMedia

/// One rung of an `AdaptationLadder`: a size and a frame rate to encode in.
package struct LadderRung: Sendable, Hashable, CustomStringConvertible {
    package var size: PixelSize
    /// The maximum frame rate; a screen that changes less often is encoded less often.
    package var framesPerSecond: Int

    package init(size: PixelSize, framesPerSecond: Int) {
        self.size = size
        self.framesPerSecond = framesPerSecond
    }

    /// The rung in the usual notation, the shorter side and the frame rate: `720p30`.
    package var description: String { "\(shortSide)p\(framesPerSecond)" }

    var shortSide: Int { min(size.width, size.height) }
    var pixelsPerSecond: Int { size.area * framesPerSecond }

    /// The limits of the rungs below the agreed format: the shorter side and the frame rate; `nil` means as agreed.
    ///
    /// Motion keeps its frame rate down to 720p, continues at 720p30, to which the specification steps down
    /// (requirement row 6), and ends at 360p10. Text keeps its size and loses frame rate first; it is made smaller than
    /// 720p only as the last resort. Frame rates above 60 are reduced first for both kinds, as few viewers see the
    /// difference.
    private static func limits(for kind: ContentKind) -> [(side: Int?, rate: Int?)] {
        switch kind {
        case .motion:
            [
                (nil, 60), (1440, 60), (1080, 60), (720, 60), (720, 30), (540, 24), (360, 24), (360, 15), (360, 10),
            ]
        case .text:
            [(nil, 60), (nil, 30), (nil, 15), (nil, 10), (1080, 10), (720, 10), (540, 10), (360, 10)]
        }
    }

    /// The rungs from the agreed format down, each with fewer pixels per second than the rung before. The first rung is
    /// the agreed format itself; all others have its aspect ratio and even sides.
    static func all(from agreed: LadderRung, for kind: ContentKind) -> [LadderRung] {
        var rungs = [agreed]
        for (side, rate) in limits(for: kind) {
            let rung = LadderRung(
                size: side.map { agreed.size(withShortSide: $0) } ?? agreed.size,
                framesPerSecond: min(agreed.framesPerSecond, rate ?? agreed.framesPerSecond))
            if let last = rungs.last, rung.pixelsPerSecond < last.pixelsPerSecond { rungs.append(rung) }
        }
        return rungs
    }

    private func size(withShortSide side: Int) -> PixelSize {
        if shortSide <= side { return size }
        return size.fitted(
            within: size.width >= size.height
                ? PixelSize(width: size.width, height: side) : PixelSize(width: side, height: size.height))
    }
}
