import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// A desktop with a viewer in full screen on it.
final class Watcher {
    struct Statistics: Codable {
        var frames: Int
        var packets: Int
        var lost: Int
        var width: Int
        var height: Int
        var codec: String
        var framesPerSecond: Double
        var drops: [String: Int]
    }

    /// SMPTE's bars of 75 %, from left to right, and the black and grey fields below.
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
        var all = ["view", "--stats", "--fullscreen"] + arguments
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

    /// Waits for another so many frames, and gives the statistics then.
    @discardableResult
    func frames(_ more: Int) throws -> Statistics {
        var first: Int?
        for _ in 0..<20 {
            let now = try statistics()
            if let first, now.frames - first >= more { return now }
            first = first ?? now.frames
        }
        throw RunningProgram.Ended(description: "too few frames; the viewer said: \(view.text.suffix(1000))")
    }

    func statistics() throws -> Statistics {
        try JSONDecoder().decode(Statistics.self, from: Data(view.line(with: "framesPerSecond").utf8))
    }

    /// Waits until the screen has these colours, each at a place of a 640 by 480 picture.
    func waitForColors(_ wanted: [(x: Int, y: Int, color: UInt32)], within: Int, seconds: Int = 12) throws {
        var wrong: [String] = []
        for _ in 0..<seconds {
            let shot = try desktop.screenshot(GStreamerServer.size)
            wrong = wanted.compactMap { place in
                let seen = shot.color(x: place.x, y: place.y)
                let color = (Int(place.color >> 16), Int(place.color >> 8 & 255), Int(place.color & 255))
                let error = max(abs(seen.red - color.0), abs(seen.green - color.1), abs(seen.blue - color.2))
                return error <= within ? nil : "\(place) is shown as \(seen)"
            }
            if wrong.isEmpty { return }
            _ = try statistics()
        }
        Issue.record("\(wrong)")
    }
}
