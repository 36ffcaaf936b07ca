import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share` in a session of sway, and `heliograph view` on an X server.
@Suite("Sharing a session of sway", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SwaySharingTests {
    /// A part of the viewer's statistics.
    private struct Told: Decodable {
        var time: Double
        var frames: Int
        var packets: Int
    }

    private let size = PixelSize(width: 640, height: 400)
    private let sway: SwayDesktop
    private let destination: Desktop
    private let windowManager: RunningProgram
    private let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")

    init() throws {
        sway = try SwayDesktop(width: size.width, height: size.height, background: "ffffff")
        destination = try Desktop(size)
        windowManager = try destination.startWindowManager()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func environment(_ name: String) -> [String: String] {
        SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": folder.path + "/" + name]) { $1 }
    }

    /// Reads the viewer's statistics until they meet a condition.
    private func told(_ view: RunningProgram, _ what: String, _ holds: (Told) -> Bool) throws -> Told {
        var last: Told?
        view.skipLines()
        try view.line(what) { line in
            guard line.contains("framesPerSecond") else { return false }
            let now = try JSONDecoder().decode(Told.self, from: Data(line.utf8))
            last = now
            return holds(now)
        }
        return try #require(last)
    }

    /// Waits until nothing has come for two seconds of the viewer's clock.
    private func rest(_ view: RunningProgram) throws -> Told {
        var begin: Told?
        return try told(view, "rest") { now in
            if begin?.packets != now.packets { begin = now }
            return begin.map { now.time - $0.time >= 2 } ?? false
        }
    }

    @Test("its screen is seen, and while it is still not a packet is sent")
    func still() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let host = try RunningProgram(
            SharedDesktop.heliograph,
            [
                "share", "--capture", "wlr", "--address", "127.0.0.1", "--port", "0", "--no-discovery", "--web", "off",
                "--link-file", folder.path + "/link",
            ], environment: sway.environment.merging(environment("host")) { $1 })
        defer { host.kill() }
        try host.line(with: "--code")
        let view = try destination.start(
            SharedDesktop.heliograph,
            ["view", "--link-file", folder.path + "/link", "--fullscreen"] + SharedDesktop.statistics,
            environment: environment("viewer"))
        defer { view.kill() }
        let first = try told(view, "a picture") { $0.frames > 0 }
        _ = try rest(view)

        try sway.order("output HEADLESS-1 bg #ff0000 solid_color")
        let red = try told(view, "the red picture") { $0.frames > first.frames }
        #expect(red.packets > first.packets)
        let still = try rest(view)
        let longer = try told(view, "another second") { $0.time >= still.time + 1 }
        #expect(longer.packets == still.packets && longer.frames == still.frames)
        let shot = try destination.screenshot(size)
        // The pointer is in the middle.
        let pixel = shot.color(x: 60, y: 300)
        #expect(pixel.red > 240 && pixel.green < 16 && pixel.blue < 16, "\(pixel)")
    }
}
