import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share --rtsp` with common players from Debian.
@Suite("Ordinary players", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct PlayerTests {
    static let size = PixelSize(width: 854, height: 480)
    /// The peak signal-to-noise ratio of patches in all colours after 4:2:0 subsampling.
    private static let decibels = 33.0
    /// The lower ratio of VLC's snapshots: it converts colours by another matrix than the stream's.
    private static let decibelsOfSnapshot = 26.0

    enum Transport: String, CaseIterable {
        case udp, tcp
    }

    @Test("FFmpeg decodes the screen", arguments: zip(Transport.allCases, [false, true]))
    func ffmpeg(transport: Transport, hasPassword: Bool) throws {
        let played = try PlayedDesktop(Self.size, hasPassword: hasPassword)
        let player = try played.start(
            "ffmpeg",
            [
                "-v", "warning", "-y", "-rtsp_transport", transport.rawValue, "-i", played.urlWithPassword,
                "-pix_fmt", "bgr0", "-f", "rawvideo", played.pictures.path,
            ])
        try played.expectScreen(from: player, decibels: Self.decibels)
    }

    @Test("FFmpeg decodes H.265")
    func ffmpegH265() throws {
        let played = try PlayedDesktop(Self.size, share: ["--codec", "h265"])
        let player = try played.start(
            "ffmpeg",
            [
                "-v", "warning", "-y", "-i", played.url, "-pix_fmt", "bgr0", "-f",
                "rawvideo", played.pictures.path,
            ])
        try played.expectScreen(from: player, decibels: Self.decibels)
    }

    @Test("GStreamer decodes the screen", arguments: Transport.allCases, [false, true])
    func gstreamer(transport: Transport, hasPassword: Bool) throws {
        let played = try PlayedDesktop(Self.size, hasPassword: hasPassword)
        let credentials =
            hasPassword ? ["user-id=\(PlayedDesktop.username)", "user-pw=\(PlayedDesktop.password)"] : []
        let player = try played.start(
            "gst-launch-1.0",
            ["-q", "rtspsrc", "location=\(played.url)", "protocols=\(transport.rawValue)", "latency=100"] + credentials
                + [
                    "!", "rtph264depay", "!", "avdec_h264", "!", "videoconvert", "!", "video/x-raw,format=BGRx", "!",
                    "filesink", "location=\(played.pictures.path)",
                ])
        try played.expectScreen(from: player, decibels: Self.decibels)
    }

    /// Debian builds VLC without an RTSP client (bug 981439). So the test requests the stream, and VLC gets the
    /// description of DESCRIBE: it receives RTP, decodes and draws by itself.
    @Test("VLC decodes the screen")
    func vlc() throws {
        let played = try PlayedDesktop(Self.size)
        let dialogue = try RTSPDialogue(url: played.url)
        let port = try #require(LoopbackPort.find())
        let description = try dialogue.ask("DESCRIBE", "").body
            .replacing("m=video 0", with: "m=video \(port)").replacing("IN IP4 0.0.0.0", with: "IN IP4 127.0.0.1")
            // VLC would wait for sound, which is not requested here.
            .components(separatedBy: "m=audio")[0]
        let file = played.shared.folder.appendingPathComponent("screen.sdp")
        try description.write(to: file, atomically: true, encoding: .utf8)
        let player = try played.startAsNobody(
            "cvlc",
            [
                "-v", "--no-audio", "--vout=dummy", "--no-dbus", "--demux=avformat", "--avformat-format=sdp",
                "--video-filter=scene", "--scene-format=png", "--scene-prefix=shot", "--scene-replace",
                // Otherwise VLC stretches the picture to its decoder's padded size.
                "--scene-width=\(Self.size.width)", "--scene-height=\(Self.size.height)", "--scene-ratio=1",
                "--scene-path=\(played.public.path)", file.path,
            ])
        try #require(Patience().wait { LoopbackPort.receives(port) }, "VLC takes no RTP: \(player.text)")
        let setup = try dialogue.ask("SETUP", "/video", ["Transport: RTP/AVP;unicast;client_port=\(port)-\(port + 1)"])
        let session = try #require(setup.session)
        _ = try dialogue.ask("PLAY", "", ["Session: \(session)"])
        try played.shared.share.line(with: "(a player) is watching")
        played.shared.source.fill(SharingTests.patchwork(Self.size, seed: 2))
        let best = try played.waitForShot(decibels: Self.decibelsOfSnapshot)
        player.kill()
        #expect(best >= Self.decibelsOfSnapshot)
    }

    @Test("players and a viewer share one stream, and a wrong password gets none")
    func together() throws {
        let played = try PlayedDesktop(Self.size, hasPassword: true)
        try played.shared.watch()
        let stranger = try played.start("ffprobe", ["-v", "error", played.url])
        #expect(stranger.waitUntilExit() != 0)
        #expect(stranger.text.contains("401"))
        let guess = played.urlWithPassword.replacing(PlayedDesktop.password, with: "wrong")
        let guesser = try played.start("ffprobe", ["-v", "error", guess])
        #expect(guesser.waitUntilExit() != 0)
        try played.shared.share.line(with: "gave a wrong name or password")
        let player = try played.start(
            "ffmpeg",
            PlayedDesktop.atOnce + [
                "-v", "warning", "-y", "-rtsp_transport", "tcp", "-i", played.urlWithPassword, "-pix_fmt", "bgr0", "-f",
                "rawvideo", played.pictures.path,
            ])
        try played.expectScreen(from: player, decibels: Self.decibels)
        #expect(try played.shared.waitForLikeness(Self.decibels) >= Self.decibels)
        #expect(!played.shared.share.text.contains(PlayedDesktop.password))
    }

    @Test("500 connections that never speak keep no player out, and disturb none that plays")
    func silentConnections() throws {
        let played = try PlayedDesktop(Self.size)
        let dialogue = try RTSPDialogue(url: played.url)
        _ = try dialogue.ask("DESCRIBE", "")
        let setup = try dialogue.ask("SETUP", "/video", ["Transport: RTP/AVP/TCP;interleaved=0-1"])
        let session = try #require(setup.session)
        let silent = try (0..<500).map { _ in try RTSPDialogue(url: played.url) }
        let player = try played.start(
            "ffmpeg",
            PlayedDesktop.atOnce + [
                "-v", "warning", "-y", "-i", played.url, "-pix_fmt", "bgr0", "-f",
                "rawvideo", played.pictures.path,
            ])
        try played.expectScreen(from: player, decibels: Self.decibels)
        _ = try dialogue.ask("GET_PARAMETER", "", ["Session: \(session)"])
        #expect(silent.count == 500)
    }

    @Test("the password may come from the environment, and loopback of IPv6 will do")
    func environment() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let credentials = "\(PlayedDesktop.username):\(PlayedDesktop.password)"
        for address in ["127.0.0.1", "[::1]"] {
            let share = try desktop.start(
                SharedDesktop.heliograph,
                ["share", "--address", "127.0.0.1", "--port", "0", "--rtsp", "\(address):0"],
                environment: ["HELIOGRAPH_HOME": folder.path, "HELIOGRAPH_RTSP_CREDENTIALS": credentials])
            let url = String(try #require(try share.line(with: "rtsp://").split(separator: " ").last))
            #expect(url.hasPrefix("rtsp://\(address):"))
            let stranger = try desktop.start("ffprobe", ["-v", "error", url])
            #expect(stranger.waitUntilExit() != 0)
            #expect(stranger.text.contains("401"))
            let known = try desktop.start(
                "ffprobe",
                PlayedDesktop.atOnce + [
                    "-v", "error", "-rtsp_transport", "udp",
                    url.replacing("rtsp://", with: "rtsp://\(credentials)@"),
                ])
            #expect(known.waitUntilExit() == 0, "\(known.text)")
            share.kill(SIGTERM)
            #expect(share.waitUntilExit() == 0)
        }
    }

    @Test(
        "the screen is not given away by mistake",
        arguments: [
            (["--rtsp", "0.0.0.0:0"], "--rtsp-credentials FILE"), (["--rtsp", "[::]:0"], "--rtsp-credentials FILE"),
            (["--rtsp", "192.0.2.1"], "--rtsp-credentials FILE"), (["--rtsp", "127.0.0.1:port"], "give HOST:PORT"),
            (["--rtsp-credentials", "/dev/null"], "give --rtsp too"),
            (["--rtsp", "--rtsp-credentials", "/nowhere/file"], "no such file"),
            (["--rtsp", "--rtsp-credentials", "OPEN"], "chmod 600"),
            (["--rtsp", "--rtsp-credentials", "BROKEN"], "NAME:PASSWORD"),
        ])
    func refusals(arguments: [String], says: String) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text, mode) in [("OPEN", "anna:sesame", 0o644), ("BROKEN", "sesame", 0o600)] {
            _ = FileManager.default.createFile(
                atPath: folder.path + "/" + name, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
        }
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let share = try desktop.start(
            SharedDesktop.heliograph,
            ["share", "--address", "127.0.0.1", "--port", "0"]
                + arguments.map { ["OPEN", "BROKEN"].contains($0) ? folder.path + "/" + $0 : $0 },
            environment: ["HELIOGRAPH_HOME": folder.path + "/home"])
        #expect(share.waitUntilExit() != 0)
        #expect(share.text.contains(says))
        #expect(!share.text.contains("sesame"), "no secret is repeated")
    }
}
