import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Screens of four times 4K, and three of them wide, with the real programs on real X servers.
@Suite("Large screens", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct LargeScreenTests {
    /// The size of the compared parts: comparing the whole screen takes too long.
    private static let part = PixelSize(width: 480, height: 270)

    @Test("a desktop of 7680x4320 arrives up to its last corner, and what changes on it")
    func desktop() throws {
        let size = PixelSize(width: 7680, height: 4320)
        let desktop = try SharedDesktop(size)
        desktop.source.fill(SharingTests.patchwork(size))
        try desktop.watch()
        try Self.expectShown(desktop, size)
        desktop.source.fill(SharingTests.patchwork(size, seed: 2, count: 40))
        try Self.expectShown(desktop, size)
        #expect(try !#require(desktop.view).text.contains("Connection lost"))
    }

    @Test("of three monitors of 3840x2160 each is shown in turn, up to its last corner")
    func monitors() throws {
        let monitor = PixelSize(width: 3840, height: 2160)
        let all = PixelSize(width: 3 * monitor.width, height: monitor.height)
        let terminal = try Terminal()
        let desktop = try SharedDesktop(all, destination: monitor, standardInput: terminal.side)
        desktop.source.fill(SharingTests.patchwork(all, count: 300))
        for (number, name) in ["left", "middle", "right"].enumerated() {
            try desktop.source.run(
                "xrandr", "--setmonitor", name, "3840/960x2160/540+\(number * monitor.width)+0",
                number == 0 ? "screen" : "none")
        }
        try desktop.share.line(with: "Monitors: left (3840x2160), middle (3840x2160), right (3840x2160).")
        try desktop.watch()
        try Self.expectShown(desktop, monitor)
        for (number, name) in [(1, "middle"), (2, "right"), (0, "left")] {
            terminal.type("m")
            try desktop.share.line(with: "The monitor \(name) is shared from now on, 3840x2160.")
            try Self.expectShown(desktop, monitor, from: number * monitor.width)
        }
        #expect(try !#require(desktop.view).text.contains("Connection lost"))
    }

    /// The peak signal-to-noise ratio in dB of a coarse picture; a wrong one has 10. A test build takes half a minute
    /// to refine it.
    private static let enough = 25.0

    /// Waits until the corners and the middle resemble the host's, whose screen is still.
    ///
    /// - Parameters:
    ///   - size: the size of the shared part.
    ///   - left: the x coordinate of the shared part.
    private static func expectShown(_ desktop: SharedDesktop, _ size: PixelSize, from left: Int = 0) throws {
        let (right, bottom) = (size.width - part.width, size.height - part.height)
        let places = [(0, 0), (right, 0), (0, bottom), (right, bottom), (right / 2, bottom / 2)]
        let wanted = try places.map { x, y in try desktop.source.screenshot(part, at: (left + x, y)) }
        var likeness: [Double] = []
        let isShown = try desktop.destination.wait(Patience(.seconds(20))) {
            likeness = try zip(wanted, places).map { $0.psnr(try desktop.destination.screenshot(part, at: $1)) }
            return likeness.allSatisfy { $0 >= enough }
        }
        #expect(isShown, "only \(likeness) dB")
    }
}
