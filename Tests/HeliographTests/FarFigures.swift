import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Figures from home to home, many runs of each: `script/test only FarFigures` prints the table.
@Suite("Figures from home to home", .serialized, .timeLimit(.minutes(30)), .tags(.timed))
struct FarFigures {
    /// The number of viewers behind each pair of routers, and of changes of the screen that each sees.
    private static let runs = ProcessInfo.processInfo.environment["HELIO_FAR_RUNS"].flatMap { Int($0) } ?? 20
    private static let changes = 10
    private static let returns = 5
    private static let colors: [UInt32] = [0xC03030, 0x3030C0]
    private static let blocks = [(RouterKind.noUDP, TwoHomes.Way.relayed), (.only443, .rendezvous)]

    /// Times in seconds.
    private struct Times: CustomStringConvertible {
        var all: [Double] = []

        func percentile(_ share: Double) -> Double {
            guard !all.isEmpty else { return 0 }
            return all.sorted()[min(all.count - 1, Int((Double(all.count) * share).rounded(.up)) - 1)]
        }

        var description: String {
            [0.5, 0.95].map { String(format: "%.3f", percentile($0)) }.joined(separator: " / ")
        }
    }

    @Test("the first picture comes within 1.5 s directly and 3 s by a relay, at p95", .tags(.nightly))
    func pictures() throws {
        let desktop = try FarDesktop()
        try desktop.waitUntilReached()
        print(
            "| routers | way | s to the first picture, p50 / p95 | s from glass to glass |\n| --- | --- | --- | --- |")
        for homes in FarHomes.all {
            try desktop.world.setRouter(homes.host, of: .host)
            try desktop.world.setRouter(homes.viewer, of: .viewer)
            var (first, glass) = (Times(), Times())
            for _ in 0..<Self.runs {
                desktop.paint(Self.colors[0])
                let viewer = try desktop.watch()
                first.all.append(try viewer.timeToPicture(Self.colors[0]))
                _ = try viewer.way(homes.way)
                _ = try viewer.timeOfGlass(Self.colors[0])
                for change in 1...Self.changes {
                    glass.all.append(try viewer.timeOfGlass(Self.colors[change % Self.colors.count]))
                }
                viewer.stop()
            }
            print("| \(homes) | \(homes.way.rawValue) | \(first) | \(glass) |")
            #expect(first.percentile(0.95) <= (homes.way == .direct ? 1.5 : 3), "\(homes)")
        }
    }

    @Test("the direct way is found again within 10 s", .tags(.nightly))
    func returns() throws {
        let desktop = try FarDesktop()
        try desktop.waitUntilReached()
        desktop.paint(Self.colors[0])
        let viewer = try desktop.watch()
        _ = try viewer.timeToPicture(Self.colors[0])
        _ = try viewer.way(.direct)
        print("| blocked for a while | way meanwhile | s to the return, p50 / p95 |\n| --- | --- | --- |")
        for (kind, way) in Self.blocks {
            var times = Times()
            for _ in 0..<Self.returns { times.all.append(try viewer.timeOfReturn(after: kind, by: way)) }
            print("| \(kind.rawValue) | \(way.rawValue) | \(times) |")
            #expect(times.percentile(1) < 10, "\(kind.rawValue)")
        }
    }
}
