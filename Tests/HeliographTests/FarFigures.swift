import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Figures from home to home, many runs of each: `script/test only FarFigures` prints the table.
@Suite("Figures from home to home", .serialized, .timeLimit(.minutes(30)), .tags(.timed))
struct FarFigures {
    /// The number of changes of the screen that each viewer sees.
    private static let changes = 10
    private static let returns = 5
    private static let colors: [UInt32] = [0xC03030, 0x3030C0]
    private static let blocks = [(RouterKind.noUDP, TwoHomes.Way.relayed), (.only443, .rendezvous)]

    @Test("the first picture comes within 1.5 s directly and 3 s by a relay, at p95", .tags(.nightly))
    func pictures() throws {
        let desktop = try FarDesktop()
        try desktop.host.waitUntilReached()
        print(FarTimes.head)
        for homes in FarHomes.all {
            try desktop.world.setRouter(homes.host, of: .host)
            try desktop.world.setRouter(homes.viewer, of: .viewer)
            var (first, glass) = (FarTimes(), FarTimes())
            for _ in 0..<FarTimes.runs {
                desktop.host.paint(Self.colors[0])
                let viewer = try desktop.watch()
                first.append(try viewer.timeToPicture(Self.colors[0]))
                _ = try viewer.way(homes.way)
                _ = try viewer.timeOfGlass(Self.colors[0])
                for change in 1...Self.changes {
                    glass.append(try viewer.timeOfGlass(Self.colors[change % Self.colors.count]))
                }
                viewer.stop()
            }
            print(FarTimes.row(homes, homes.way, first: first, glass: glass))
            #expect(first.percentile(0.95) <= FarTimes.limit(homes.way), "\(homes)")
        }
    }

    @Test("the direct way is found again within 10 s", .tags(.nightly))
    func returns() throws {
        let desktop = try FarDesktop()
        try desktop.host.waitUntilReached()
        desktop.host.paint(Self.colors[0])
        let viewer = try desktop.watch()
        _ = try viewer.timeToPicture(Self.colors[0])
        _ = try viewer.way(.direct)
        print("| blocked for a while | way meanwhile | s to the return, p50 / p95 |\n| --- | --- | --- |")
        for (kind, way) in Self.blocks {
            var times = FarTimes()
            for _ in 0..<Self.returns { times.append(try viewer.timeOfReturn(after: kind, by: way)) }
            print("| \(kind.rawValue) | \(way.rawValue) | \(times) |")
            #expect(times.percentile(1) < 10, "\(kind.rawValue)")
        }
    }
}
