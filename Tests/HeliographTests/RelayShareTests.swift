import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioViewing
import Testing

/// `heliograph share --relay` with extensions in separate processes, which encode with x264.
@Suite("share --relay", .serialized, .timeLimit(.minutes(4)), .tags(.quiet))
struct RelayShareTests {
    /// The host process, and its folder.
    private final class Host {
        let program: RunningProgram
        let folder: URL
        var socket: String { folder.path + "/relay/socket" }

        init(_ arguments: [String] = []) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            program = try RunningProgram(
                RunningProgram.built("heliograph"),
                [
                    "share", "--address", "127.0.0.1", "--port", "0", "--no-discovery", "--link-file",
                    folder.path + "/link", "--relay", folder.path + "/relay/socket",
                ] + arguments,
                environment: ["HELIOGRAPH_HOME": folder.path + "/host", "PULSE_SERVER": "unix:/nonexistent"])
            try program.line(with: "--code")
        }

        deinit {
            program.kill()
            try? FileManager.default.removeItem(at: folder)
        }

        var link: String {
            get throws {
                try String(contentsOfFile: folder.path + "/link", encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
        }

        func startExtension(_ arguments: [String] = []) throws -> RunningProgram {
            let program = try RunningProgram(
                RunningProgram.built("helio-extension"),
                ["--socket", socket, "--seconds", "600", "--rate", "10", "--turn-every", "600"] + arguments,
                environment: [:])
            try program.line(with: "connected")
            return program
        }
    }

    @Test("an extension that is killed is no more than a freeze, the next one goes on, and Ctrl-C ends all")
    func replaced() async throws {
        let host = try Host()
        let first = try host.startExtension(["--tone"])
        var options = MirrorSink.Options()
        options.sound = .coded
        options.bitrate = 1_500_000
        let viewer = try RelayViewer(link: try host.link, options)
        try await viewer.waitForFrame("a keyframe") { $0.isKeyframe }
        try await eventually("it is heard", sees: viewer.summary) { viewer.inputs.contains(.system) }
        // The encoder is set to the viewer's limits, in a 720p picture of the screen's aspect ratio.
        _ = try first.line("less to code") { line in
            guard line.hasPrefix("coding "), let rate = line.split(separator: " ").dropLast(3).last.flatMap({ Int($0) })
            else { return false }
            return (1_000_000...1_500_000).contains(rate)
        }
        try await eventually("the size is known", sees: viewer.summary) {
            viewer.size.map { $0.width <= 720 && $0.height > $0.width && $0.height <= 1280 } ?? false
        }

        first.kill()
        try host.program.line(with: "it may come again")
        let count = viewer.frames.count
        let keyframes = viewer.frames.count { $0.isKeyframe }
        let second = try host.startExtension()
        try await eventually("the next one goes on", sees: viewer.summary) {
            viewer.frames.count >= count + 5 && viewer.frames.count { $0.isKeyframe } > keyframes
        }
        #expect(viewer.isUnbroken)
        // A new extension gets the first one's settings at once.
        _ = try second.line("less to code") { $0.hasPrefix("coding ") && !$0.contains(" 4000000 ") }

        host.program.kill(SIGINT)
        #expect(host.program.waitUntilExit() == 0)
        #expect(second.waitUntilExit() == 0)
    }

    @Test("it is broadcast as any screen, whether anybody watches or not") func broadcast() throws {
        let port = try #require(LoopbackPort.find())
        let player = try RunningProgram(
            "ffmpeg",
            [
                "-v", "error", "-i", "srt://127.0.0.1:\(port)?mode=listener", "-map", "0:v", "-frames:v", "12", "-f",
                "framecrc", "-",
            ], environment: [:])
        let host = try Host(["--broadcast", "srt://127.0.0.1:\(port)"])
        let source = try host.startExtension(["--tone"])
        // A line for each decoded picture, of the extension's size.
        try player.line(with: "#dimensions 0: 720x1030")
        for _ in 0..<12 { _ = try player.line("a picture") { $0.hasPrefix("0,") } }
        #expect(player.waitUntilExit() == 0)
        source.kill()
    }

    @Test("what only a screen of this machine has is refused beside it", arguments: ["--display", "--encoder"])
    func refused(option: String) throws {
        let program = try RunningProgram(
            RunningProgram.built("heliograph"), ["share", "--relay", "/tmp/none/socket", option, ":7"], environment: [:]
        )
        try program.line(with: "\(option): with --relay")
        #expect(program.waitUntilExit() != 0)
    }
}
