import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph view --receive` with third-party programs that publish.
@Suite("Other programs publish to the viewer", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct PublisherTests {
    /// Publishers of 640x480 pictures with SMPTE colour bars.
    private enum Publisher: String, CaseIterable, Sendable {
        case ffmpegUDP, ffmpegTCP, gstreamerUDP, gstreamerTCP, gstreamerH265

        var isH265: Bool { self == .gstreamerH265 }

        /// - Parameter seconds: the duration of FFmpeg's stream.
        func start(
            _ url: String, user: String = "", password: String = "", seconds: Int = 600
        ) throws -> RunningProgram {
            switch self {
            case .ffmpegUDP, .ffmpegTCP:
                let credentials = user.isEmpty ? "" : "\(user):\(password)@"
                return try RunningProgram(
                    "ffmpeg",
                    [
                        "-hide_banner", "-loglevel", "error", "-nostats", "-re", "-f", "lavfi", "-i",
                        "smptebars=size=640x480:rate=25:duration=\(seconds)", "-f", "lavfi", "-i",
                        "sine=duration=\(seconds)", "-c:v", "libx264", "-preset",
                        "veryfast", "-bf", "2", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac", "-f", "rtsp",
                        "-rtsp_transport", self == .ffmpegUDP ? "udp" : "tcp",
                        url.replacing("rtsp://", with: "rtsp://\(credentials)"),
                    ], environment: [:])
            case .gstreamerUDP, .gstreamerTCP, .gstreamerH265:
                let coder =
                    isH265
                    ? "x265enc tune=zerolatency speed-preset=ultrafast key-int-max=25 bitrate=8000"
                    : "x264enc tune=zerolatency key-int-max=25 bitrate=8000"
                let description =
                    "videotestsrc is-live=true pattern=smpte75 "
                    + "! video/x-raw,format=I420,width=640,height=480,framerate=25/1 ! \(coder) "
                    + "! rtspclientsink location=\(url) user-id=\(user) user-pw=\(password) "
                    + (self == .gstreamerTCP ? "protocols=tcp profiles=avpf" : "protocols=udp")
                return try RunningProgram(
                    "gst-launch-1.0", ["-q"] + description.split(separator: " ").map { String($0) }, environment: [:])
            }
        }
    }

    private static let place = "127.0.0.1:0"

    /// Starts to receive; returns the address for publishers.
    private static func receive(_ arguments: [String] = []) throws -> (watcher: Watcher, url: String) {
        let watcher = try Watcher(["--receive", place] + arguments)
        let line = try watcher.view.line(with: "Waiting for a program that publishes to ")
        let url = line.split(separator: " ").last.map { String($0.dropLast()) } ?? ""
        return (watcher, url)
    }

    @Test("FFmpeg and GStreamer publish over UDP and TCP, H.264 and H.265", arguments: Publisher.allCases)
    private func published(_ publisher: Publisher) throws {
        let (watcher, url) = try Self.receive()
        let running = try publisher.start(url)
        #expect(try watcher.view.line(with: "Watching").hasPrefix("Watching 127.0.0.1"))
        let statistics = try watcher.frames(50)
        #expect(statistics.width == 640 && statistics.height == 480)
        #expect(statistics.codec == (publisher.isH265 ? "h265" : "h264"))
        #expect(statistics.framesPerSecond > 5 && statistics.lost == 0)
        #expect(statistics.drops["undecodable", default: 0] == 0, "\(statistics.drops)")
        try watcher.waitForColors(Watcher.bars, within: 8)
        running.kill()
        try watcher.view.line(with: "closed the connection. Waiting for a program that publishes to \(url)")
    }

    @Test("FFmpeg comes to its stream's end, and takes its leave")
    func leaves() throws {
        let (watcher, url) = try Self.receive()
        let running = try Publisher.ffmpegUDP.start(url, seconds: 2)
        try watcher.view.line(with: "127.0.0.1 has left. Waiting")
        #expect(running.waitUntilExit() == 0, "\(running.text)")
    }

    @Test("a password, which FFmpeg and GStreamer show by digest", arguments: [Publisher.ffmpegTCP, .gstreamerUDP])
    private func credentials(_ publisher: Publisher) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        _ = FileManager.default.createFile(
            atPath: file.path, contents: Data("anna:open-sesame\n".utf8), attributes: [.posixPermissions: 0o600])
        let (watcher, url) = try Self.receive(["--receive-credentials", file.path])
        let wrong = try publisher.start(url, user: "anna", password: "hunter2")
        try watcher.view.line(with: "127.0.0.1 can't publish: wrong-credentials")
        wrong.kill()
        let right = try publisher.start(url, user: "anna", password: "open-sesame")
        try watcher.frames(25)
        try watcher.waitForColors(Watcher.bars, within: 8)
        #expect(!watcher.view.text.contains("hunter2") && !watcher.view.text.contains("sesame"))
        right.kill()
    }

    @Test("a second publisher is turned away; when the first is killed, the next is shown")
    func next() throws {
        let (watcher, url) = try Self.receive()
        let first = try Publisher.ffmpegUDP.start(url)
        try watcher.frames(10)
        let second = try Publisher.gstreamerUDP.start(url)
        try watcher.view.line(with: "can't publish: another program publishes already")
        #expect(second.waitUntilExit() != 0)
        #expect(second.text.contains("503"), "\(second.text)")
        try watcher.frames(25)
        first.kill()
        try watcher.view.line(with: "127.0.0.1 closed the connection. Waiting")
        let third = try Publisher.gstreamerTCP.start(url)
        try watcher.view.line(with: "Watching")
        try watcher.frames(25)
        try watcher.waitForColors(Watcher.bars, within: 8)
        third.kill()
    }

    @Test("what can't be received is said, with what to do")
    func refusals() throws {
        let (watcher, url) = try Self.receive()
        let port = url.split(separator: ":").last?.split(separator: "/").first.map { String($0) } ?? ""
        let cases = [
            (["--receive", "0.0.0.0"], "--receive-credentials FILE"),
            (["--receive", "127.0.0.1:\(port)"], "Choose another address or port with --receive"),
            (["--receive=127.0.0.1:x"], "give HOST:PORT"),
            (["--receive-credentials", "/nothing"], "give --receive too"),
            (["--receive", "127.0.0.1:0", "--code", "AAAA"], "leave link and code out"),
        ]
        for (arguments, part) in cases {
            let refused = try Watcher(arguments)
            #expect(refused.view.waitUntilExit() != 0)
            #expect(refused.view.text.contains(part), "\(refused.view.text)")
        }
        #expect(watcher.view.text.contains(url))
    }
}
