import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share --publish` to third-party servers, and to our own.
@Suite("Publishing to other programs' servers", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct PublishingTests {
    private static let size = PixelSize(width: 854, height: 480)
    /// The peak signal-to-noise ratio of patches in all colours after 4:2:0 subsampling.
    private static let decibels = 33.0

    enum Way: String, CaseIterable, Sendable {
        case udp
        /// The server rejects UDP.
        case refusedUDP
        /// The source requests TCP.
        case tcp

        var arguments: [String] { self == .tcp ? ["--publish-tcp"] : [] }
    }

    @Test("GStreamer's server decodes the screen, over UDP and TCP", arguments: Way.allCases)
    func gstreamer(way: Way) throws {
        let published = try PublishedDesktop(Self.size)
        let server = try GStreamerServer(
            .sink(published.pictures.path), transport: way == .refusedUDP ? .tcp : .all)
        let shared = try published.share(["--publish", server.pushAddress] + way.arguments)
        #expect(shared.share.text.contains("Publishing, not encrypted: \(server.pushAddress)"))
        try shared.share.line(with: "Published at \(server.pushAddress), over \(way == .udp ? "UDP" : "TCP").")
        try published.expectScreen(decibels: Self.decibels)
    }

    @Test("GStreamer's server decodes H.265")
    func h265() throws {
        let published = try PublishedDesktop(Self.size)
        let server = try GStreamerServer(.sink(published.pictures.path), codec: .h265)
        let shared = try published.share(["--codec", "h265", "--publish", server.pushAddress])
        try shared.share.line(with: "Published at")
        try published.expectScreen(decibels: Self.decibels)
    }

    @Test("FFmpeg that listens decodes the screen, over UDP and TCP", arguments: [Way.udp, .tcp])
    func ffmpeg(way: Way) throws {
        let published = try PublishedDesktop(Self.size)
        let url = "rtsp://127.0.0.1:\(try #require(LoopbackPort.find()))/live"
        try published.start(
            "ffmpeg",
            PlayedDesktop.atOnce + [
                "-v", "warning", "-y", "-rtsp_flags", "listen", "-i", url, "-pix_fmt", "bgr0", "-f", "rawvideo",
                published.pictures.path,
            ])
        let shared = try published.share(["--publish", url] + way.arguments)
        try shared.share.line(with: "Published at \(url), over \(way == .udp ? "UDP" : "TCP").")
        try published.expectScreen(decibels: Self.decibels)
    }

    @Test("our own viewer shows what is published to it")
    func viewer() throws {
        let watcher = try Watcher(["--receive", "127.0.0.1:0"])
        let line = try watcher.view.line(with: "Waiting for a program that publishes to ")
        let url = String(try #require(line.split(separator: " ").last).dropLast())
        let shared = try SharedDesktop(GStreamerServer.size, share: ["--publish", url])
        let colors = Watcher.bars.enumerated().map { index, bar in
            (color: bar.color, rect: PixelRect(x: index * 640 / 7 & ~1, y: 0, width: 92, height: 480))
        }
        shared.source.fill(colors)
        try watcher.view.line(with: "Watching 127.0.0.1")
        let statistics = try watcher.frames(10)
        #expect(statistics.width == 640 && statistics.height == 480 && statistics.lost == 0)
        try watcher.waitForColors(Watcher.bars, within: 8)
        shared.share.kill(SIGTERM)
        try watcher.view.line(with: "127.0.0.1 has left")
        #expect(shared.share.waitUntilExit() == 0)
    }

    @Test("a password is shown by digest alone, and a wrong one is said; nothing repeats either")
    func password() throws {
        let published = try PublishedDesktop(Self.size)
        let server = try GStreamerServer(.sink(published.pictures.path), user: ("anna", "s:cret"))
        let wrong = try published.share(
            ["--publish", server.pushAddress, "--publish-credentials", published.secret("anna:hunter2")])
        try wrong.share.line(with: "Not published at \(server.pushAddress): The server does not take this user")
        let none = try published.share(["--publish", server.pushAddress])
        try none.share.line(with: "Give --publish-credentials FILE")
        let right = try published.share(
            ["--publish", server.pushAddress, "--publish-credentials", published.secret("anna:s:cret")])
        try right.share.line(with: "Published at")
        try published.expectScreen(decibels: Self.decibels)
        for text in [wrong.share.text, right.share.text] {
            #expect(!text.contains("hunter2") && !text.contains("cret\n") && !text.contains("s:cret"))
        }
    }

    @Test("RTSP over TLS, with the fingerprint of a certificate that nobody vouches for")
    func secure() throws {
        let published = try PublishedDesktop(Self.size)
        let server = try GStreamerServer(.sink(published.pictures.path), isSecure: true)
        let fingerprint = try #require(server.fingerprint)
        let unknown = try published.share(["--publish", server.pushAddress])
        try unknown.share.line(with: "add #sha256=FINGERPRINT")
        let shared = try published.share(["--publish", server.pushAddress + "#sha256=\(fingerprint)"])
        #expect(shared.share.text.contains("Publishing: \(server.pushAddress)"))
        try shared.share.line(with: "over TCP")
        try published.expectScreen(decibels: Self.decibels)
    }

    @Test("a server that is not there yet, and one that ends and comes back, get the stream")
    func comesBack() throws {
        let port = try #require(LoopbackPort.find())
        let published = try PublishedDesktop(Self.size)
        let url = "rtsp://127.0.0.1:\(port)/push"
        let shared = try published.share(["--publish", url] + SharedDesktop.statistics)
        try shared.share.line(with: "Not yet published at \(url): The server can't be reached")
        let first = try GStreamerServer(.relay, port: port)
        try shared.share.line(with: "Published at")
        try shared.share.line(with: "\"isPublished\":true")
        first.kill()
        try shared.share.line(with: "No longer published at \(url)")
        try shared.share.line(with: "\"isPublished\":false")
        let second = try GStreamerServer(.sink(published.pictures.path), port: port)
        try shared.share.line(with: "Published at")
        try published.expectScreen(decibels: Self.decibels)
        second.kill()
    }

    @Test(
        "what can't be published is said, with what to do, and no password is repeated",
        arguments: [
            (["--publish", "rtsp://anna:sesame@127.0.0.1/live"], "Leave the password out of the address"),
            (["--publish", "rtsp://anna@127.0.0.1/live"], "--publish-credentials FILE"),
            (["--publish", "rtsp://bert@127.0.0.1/live", "--publish-credentials", "GOOD"], "name different users"),
            (["--publish", "http://127.0.0.1/live"], "rtsp://[USER@]HOST[:PORT]/PATH"),
            (["--publish", "rtsp://:1/"], "can't be read"),
            (["--publish-credentials", "/dev/null"], "give --publish too"),
            (["--publish-tcp"], "give --publish too"),
            (["--publish", "rtsp://127.0.0.1/live", "--publish-credentials", "OPEN"], "chmod 600"),
        ])
    func refusals(arguments: [String], says: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, mode) in [("OPEN", 0o644), ("GOOD", 0o600)] {
            _ = FileManager.default.createFile(
                atPath: folder.path + "/" + name, contents: Data("anna:sesame".utf8),
                attributes: [.posixPermissions: mode])
        }
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let share = try desktop.start(
            SharedDesktop.heliograph,
            ["share", "--address", "127.0.0.1", "--port", "0"]
                + arguments.map { ["OPEN", "GOOD"].contains($0) ? folder.path + "/" + $0 : $0 },
            environment: ["HELIOGRAPH_HOME": folder.path + "/home"])
        #expect(share.waitUntilExit() != 0)
        #expect(share.text.contains(says), "\(share.text)")
        #expect(!share.text.contains("sesame"), "no secret is repeated")
    }

    @Test("the password may come from the environment")
    func environment() throws {
        let published = try PublishedDesktop(Self.size)
        let server = try GStreamerServer(.sink(published.pictures.path), user: ("anna", "sesame"))
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let arguments = ["share", "--address", "127.0.0.1", "--port", "0", "--publish"]
        let environment = [
            "HELIOGRAPH_HOME": published.folder.path + "/home", "HELIOGRAPH_PUBLISH_CREDENTIALS": "anna:sesame",
        ]
        let share = try desktop.start(
            SharedDesktop.heliograph,
            arguments + [server.pushAddress.replacing("rtsp://", with: "rtsp://anna@")], environment: environment)
        try share.line(with: "Published at \(server.pushAddress)")
        let commandLine = try String(contentsOfFile: "/proc/\(share.processIdentifier)/cmdline", encoding: .utf8)
        #expect(!commandLine.contains("sesame") && !share.text.contains("sesame"))
        let inherited = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(share.processIdentifier)/environ"))
        #expect(!inherited.isEmpty && inherited.range(of: Data("sesame".utf8)) == nil)
        let other = try desktop.start(
            SharedDesktop.heliograph, arguments + ["rtsp://bert@127.0.0.1/live"], environment: environment)
        #expect(other.waitUntilExit() != 0)
        #expect(other.text.contains("name different users") && !other.text.contains("sesame"))
    }
}
