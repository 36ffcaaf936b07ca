import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// A desktop with a full-screen viewer.
final class Watcher {
    struct Statistics: Codable {
        var time: Double
        var frames: Int
        var packets: Int
        var lost: Int
        var width: Int
        var height: Int
        var codec: String
        var framesPerSecond: Double
        var drops: [String: Int]
    }

    /// SMPTE colour bars of 75 % from left to right, and the black and grey fields below.
    static let bars: [(x: Int, y: Int, color: UInt32)] =
        [0xBFBFBF, 0xBFBF00, 0x00BFBF, 0x00BF00, 0xBF00BF, 0xBF0000, 0x0000BF].enumerated().map { index, color in
            (index * 640 / 7 + 45, 150, UInt32(color))
        }

    let desktop: Desktop
    let folder: URL
    private(set) var view: RunningProgram
    private let windowManager: RunningProgram

    init(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws {
        desktop = try Desktop(GStreamerServer.size)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        windowManager = try desktop.startWindowManager()
        var all = ["view", "--fullscreen"] + SharedDesktop.statistics + arguments
        if let input {
            _ = FileManager.default.createFile(
                atPath: folder.path + "/link", contents: Data(input.utf8), attributes: [.posixPermissions: 0o600])
            all += ["--link-file", folder.appendingPathComponent("link").path]
        }
        view = try desktop.start(
            SharedDesktop.heliograph, all,
            environment: environment.merging(["HELIOGRAPH_HOME": folder.path]) { first, _ in first })
    }

    deinit {
        view.kill()
        windowManager.kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Waits for a number of further frames; returns the statistics, with the rate of these frames.
    @discardableResult
    func frames(_ more: Int) throws -> Statistics {
        var first: Statistics?
        var last: Statistics?
        view.skipLines()
        try view.line("another \(more) frames", within: .seconds(20)) { line in
            guard line.contains("framesPerSecond") else { return false }
            var now = try JSONDecoder().decode(Statistics.self, from: Data(line.utf8))
            let begin = first ?? now
            now.framesPerSecond = Double(now.frames - begin.frames) / max(0.001, now.time - begin.time)
            (first, last) = (begin, now)
            return now.frames - begin.frames >= more
        }
        return try #require(last)
    }

    /// Waits until the screen has these colours at positions of a 640x480 picture.
    func waitForColors(_ wanted: [(x: Int, y: Int, color: UInt32)], within: Int) throws {
        var wrong: [String] = []
        let isRight = try desktop.wait(Patience(.seconds(12))) {
            let shot = try desktop.screenshot(GStreamerServer.size)
            wrong = wanted.compactMap { place in
                let seen = shot.color(x: place.x, y: place.y)
                let color = (Int(place.color >> 16), Int(place.color >> 8 & 255), Int(place.color & 255))
                let error = max(abs(seen.red - color.0), abs(seen.green - color.1), abs(seen.blue - color.2))
                return error <= within ? nil : "\(place) is shown as \(seen)"
            }
            return wrong.isEmpty
        }
        #expect(isRight, "\(wrong)")
    }
}
