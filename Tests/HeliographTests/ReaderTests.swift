import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph view rtsp://...` with third-party servers and cameras.
@Suite("Viewing other programs' streams", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ReaderTests {
    @Test(
        "GStreamer's server over UDP and over TCP, with and without digest authentication",
        arguments: [GStreamerServer.Transport.all, .tcp], [false, true])
    func gstreamer(transport: GStreamerServer.Transport, isProtected: Bool) throws {
        let server = try GStreamerServer(.bars, transport: transport, user: isProtected ? ("anna", "s:cret") : nil)
        let watcher =
            isProtected
            ? try Watcher([], input: server.address("anna:s%3Acret") + "\n") : try Watcher([server.address()])
        #expect(try watcher.view.line(with: "Watching") == "Watching 127.0.0.1, 640x480.")
        let statistics = try watcher.frames(50)
        #expect(statistics.width == 640 && statistics.height == 480 && statistics.codec == "h264")
        #expect(statistics.packets > statistics.frames && statistics.framesPerSecond > 5)
        try watcher.waitForColors(Watcher.bars, within: 8)
        #expect(!watcher.view.text.contains("cret"))
    }

    @Test("RTSP over TLS: a certificate that nobody vouches for needs its fingerprint in the address")
    func secure() throws {
        let server = try GStreamerServer(.bars, user: ("anna", "s:cret"), isSecure: true)
        let fingerprint = try #require(server.fingerprint)
        let watcher = try Watcher([], input: server.address("anna:s%3Acret") + "#sha256=\(fingerprint)\n")
        #expect(try watcher.view.line(with: "Watching") == "Watching 127.0.0.1, 640x480.")
        try watcher.frames(25)
        try watcher.waitForColors(Watcher.bars, within: 8)

        let unknown = try Watcher([server.address()])
        #expect(unknown.view.waitUntilExit() != 0)
        #expect(unknown.view.text.contains("add #sha256=FINGERPRINT"), "\(unknown.view.text)")
        #expect(!unknown.view.text.contains("Watching"))

        let other = try Watcher([server.address() + "#sha256=" + String(repeating: "00", count: 32)])
        #expect(other.view.waitUntilExit() != 0)
        #expect(other.view.text.contains("shows another certificate"), "\(other.view.text)")
    }

    @Test("a server whose UDP does not get here is played over TCP, on a new connection")
    func lostUDP() throws {
        let server = try GStreamerServer(.bars, transport: .lostUDP)
        let watcher = try Watcher([server.address()])
        try watcher.view.line(with: "Watching")
        try watcher.frames(25)
        try watcher.waitForColors(Watcher.bars, within: 8)
    }

    @Test("H.265 of GStreamer's server")
    func h265() throws {
        let server = try GStreamerServer(.bars, codec: .h265)
        let watcher = try Watcher([server.address()])
        #expect(try watcher.frames(25).codec == "h265")
        try watcher.waitForColors(Watcher.bars, within: 8)
    }

    @Test("a camera of FFmpeg's, with B-frames, that pushes to a server")
    func camera() throws {
        let server = try GStreamerServer(.relay)
        try server.startCamera()
        let watcher = try Watcher([server.address()])
        try watcher.view.line(with: "Watching")
        let statistics = try watcher.frames(50)
        #expect(statistics.framesPerSecond > 5)
        #expect(statistics.drops["undecodable", default: 0] <= 2, "\(statistics.drops)")
        try watcher.waitForColors([(20, 20, 0x2060C0), (620, 20, 0x2060C0), (320, 460, 0x2060C0)], within: 8)
    }

    @Test("user and password from the environment, and the wrong ones")
    func credentials() throws {
        let server = try GStreamerServer(.bars, user: ("anna", "s:cret"))
        let watcher = try Watcher(
            [server.address()],
            environment: ["HELIOGRAPH_RTSP_USER": "anna", "HELIOGRAPH_RTSP_PASSWORD": "s:cret"])
        try watcher.view.line(with: "Watching")

        let wrong = try Watcher([server.address("anna:hunter2")])
        #expect(wrong.view.waitUntilExit() != 0)
        #expect(wrong.view.text.contains("does not take this user and password"))
        #expect(!wrong.view.text.contains("hunter2"))

        let none = try Watcher([server.address()])
        #expect(none.view.waitUntilExit() != 0)
        #expect(none.view.text.contains("HELIOGRAPH_RTSP_USER"))
        // The other viewers were not affected.
        try watcher.frames(10)
    }

    @Test("what can't be viewed is said, with what to do")
    func refusals() throws {
        let server = try GStreamerServer(.bars)
        let cases = [
            (["rtsp://127.0.0.1:\(server.port)/nothing"], "no stream of this name"),
            (["rtsp://127.0.0.1:1/x"], "127.0.0.1:1 can't be reached"),
            (["rtsp://[::1]:1/x"], "[::1]:1 can't be reached"),
            (["rtsps://user:hunter2@127.0.0.1:\(server.port)/x"], "speaks no TLS"),
            (["rtsps://user:hunter2@127.0.0.1/x#sha1=0"], "sha256="),
            (["rtsp://user:hunter2%@127.0.0.1/x"], "can't be read"),
            ([server.address(), "--code", "AAAA"], "Leave --code out"),
        ]
        for (arguments, part) in cases {
            let watcher = try Watcher(arguments)
            #expect(watcher.view.waitUntilExit() != 0)
            #expect(watcher.view.text.contains(part), "\(watcher.view.text)")
            #expect(!watcher.view.text.contains("hunter2"))
        }
    }

    @Test("a server that is killed is noticed, tried again, and played when it is back")
    func lost() throws {
        let server = try GStreamerServer(.bars, port: try #require(LoopbackPort.find()))
        let watcher = try Watcher([server.address()])
        try watcher.frames(10)
        server.kill()
        try watcher.view.line(with: "Trying again")
        let next = try GStreamerServer(.bars, port: server.port)
        try watcher.view.line(with: "The host is back")
        try watcher.frames(25)
        try watcher.waitForColors(Watcher.bars, within: 8)
        #expect(next.port == server.port)
    }
}
