import HelioBudgets
import HelioCore

/// The time of each stage, by the size of the screen and its changed share.
struct StageBench {
    private static let sizes = [(1280, 720), (1920, 1080), (2560, 1440), (3840, 2160)].map {
        PixelSize(width: $0.0, height: $0.1)
    }
    /// The changed shares of the screen, in percent.
    private static let shares = [1, 10, 50, 100]
    /// The rows of a scroll step, and the number of steps in one direction.
    private static let scrollRows = 24
    private static let scrollSteps = 16
    /// The rounds that don't count: in the first ones, memory is not resident yet.
    private static let warmUp = 4

    let rounds: Int
    let table: Table

    func run() throws {
        table.title("ms a picture at each stage, medians of \(rounds) rounds; of a refinement, its longest step")
        table.columns(StageTimes.names)
        for size in Self.sizes {
            let path = try StagePath(size: size)
            let pages = (1...2).map {
                StageScreen(size: size, reserve: Self.scrollRows * Self.scrollSteps, seed: UInt64($0))
            }
            for share in Self.shares {
                let rect = Self.middle(share, of: size)
                row("\(size), \(share) %", try measure { try path.show(pages[$0 % 2], in: rect) })
            }
            row(
                "\(size), scroll",
                try measure {
                    // Scrolls back and forth.
                    let step = abs($0 % (2 * Self.scrollSteps) - Self.scrollSteps)
                    return try path.show(pages[0], in: PixelRect(size), scrolled: step * Self.scrollRows)
                })
            row("\(size), refine", try refine(path, pages))
        }
        table.title("ms to compare a picture with the one before, by what of it differs")
        table.columns(CompareBench.names)
        for size in Self.sizes { table.times("\(size), compare", CompareBench(size: size, rounds: rounds).run()) }
    }

    private func row(_ name: String, _ times: StageTimes) { table.times(name, times.values) }

    private func measure(_ round: (Int) throws -> StageTimes) rethrows -> StageTimes {
        let all = try (0..<Self.warmUp + rounds).map(round)
        return .median(Array(all.dropFirst(Self.warmUp)))
    }

    /// The median of several refinements' longest steps.
    private func refine(_ path: StagePath, _ pages: [StageScreen]) throws -> StageTimes {
        .median(
            try (0..<max(1, rounds / 10)).map { round in
                _ = try path.show(pages[round % 2], in: PixelRect(path.size))
                return .longest(try path.refine())
            })
    }

    /// A rectangle of whole macroblocks in the middle of the screen, with this share of its area.
    private static func middle(_ share: Int, of size: PixelSize) -> PixelRect {
        if share == 100 { return PixelRect(size) }
        let part = (Double(share) / 100).squareRoot()
        func side(_ length: Int) -> Int { Int(Double(length) * part) / 16 * 16 }
        let (width, height) = (side(size.width), side(size.height))
        return PixelRect(
            x: (size.width - width) / 32 * 16, y: (size.height - height) / 32 * 16, width: width, height: height)
    }
}
