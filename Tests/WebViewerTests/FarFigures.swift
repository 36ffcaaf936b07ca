import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Figures from home to home in Chromium, many runs of each: `script/test only FarFigures` prints the table, beside that
/// of native viewers.
@Suite("In a browser: figures from home to home", .serialized, .timeLimit(.minutes(30)), .tags(.timed))
struct FarFigures {
    /// The number of changes of the screen that each page shows.
    private static let changes = 10
    private static let returns = 5
    private static let colors: [UInt32] = [0xC03030, 0x3030C0]

    @Test("the first picture comes within 1.5 s directly and 3 s by a relay, at p95", .tags(.nightly))
    func pictures() throws {
        let host = try FarHost(hasTURNAtWebPort: true)
        let browser = try Browser(on: host.world.machine(.viewer))
        try host.waitUntilReached()
        print("In a browser:\n" + FarTimes.head)
        for homes in FarHomes.all {
            try host.world.setRouter(homes.host, of: .host)
            try host.world.setRouter(homes.viewer, of: .viewer)
            var (first, glass) = (FarTimes(), FarTimes())
            for _ in 0..<FarTimes.runs {
                host.paint(Self.colors[0])
                let page = try FarPage(browser, to: host)
                first.append(try page.timeToPicture(Self.colors[0]))
                _ = try page.way(homes.browserWay)
                _ = try page.timeOfGlass(Self.colors[0])
                for change in 1...Self.changes {
                    glass.append(try page.timeOfGlass(Self.colors[change % Self.colors.count]))
                }
                try page.close()
            }
            print(FarTimes.row(homes, homes.browserWay, first: first, glass: glass))
            #expect(first.percentile(0.95) <= FarTimes.limit(homes.browserWay), "\(homes)")
        }
    }
    @Test("the direct way is found again within 10 s", .tags(.nightly))
    func returns() throws {
        let host = try FarHost(hasTURNAtWebPort: true)
        let browser = try Browser(on: host.world.machine(.viewer))
        try host.waitUntilReached()
        let page = try FarPage(browser, to: host)
        try page.viewer.waitForPicture()
        _ = try page.way(.direct)
        print("In a browser:\n| blocked for a while | s to the return, p50 / p95 |\n| --- | --- |")
        for kind in [RouterKind.noUDP, .only443] {
            var times = FarTimes()
            for _ in 0..<Self.returns { times.append(try page.timeOfReturn(after: kind)) }
            print("| \(kind.rawValue) | \(times) |")
            #expect(times.percentile(1) < 10, "\(kind.rawValue)")
        }
    }
}
