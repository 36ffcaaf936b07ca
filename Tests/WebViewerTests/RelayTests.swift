import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A page that shows the pictures of a broadcast extension.
@Suite("In a browser: what an extension relays", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct RelayTests {
    @Test("a page shows it, freezes while no extension is there, and goes on with the next") func relayed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let socket = folder.path + "/relay/socket"
        let host = try RunningProgram(
            RunningProgram.built("heliograph"),
            [
                "share", "--address", "127.0.0.1", "--port", "0", "--no-discovery", "--web", "0",
                "--web-link-file", folder.path + "/web-link", "--relay", socket,
            ],
            environment: ["HELIOGRAPH_HOME": folder.path + "/host", "PULSE_SERVER": "unix:/nonexistent"])
        defer { host.kill() }
        try host.line(with: "--code")
        func startExtension() throws -> RunningProgram {
            try RunningProgram(
                RunningProgram.built("helio-extension"),
                ["--socket", socket, "--seconds", "600", "--rate", "10", "--turn-every", "600"], environment: [:])
        }
        let first = try startExtension()
        try first.line(with: "connected")
        let browser = try Browser()
        let viewer = WebViewer(try browser.page(), of: PixelSize(width: 720, height: 1030))
        try viewer.page.open(
            try String(contentsOfFile: folder.path + "/web-link", encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines))
        try viewer.waitForPicture()
        try viewer.waitForFrames(5)
        first.kill()
        try host.line(with: "it may come again")
        let second = try startExtension()
        try second.line(with: "connected")
        try viewer.waitForFrames(5)
        #expect(try viewer.page.evaluate("document.body.dataset.screen", as: String.self) == "watching")
        #expect(try viewer.page.problems() == [])
        second.kill()
    }
}
