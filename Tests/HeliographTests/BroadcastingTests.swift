import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Synchronization
import Testing

/// `heliograph share --broadcast` with third-party servers and players, which show what the screen does.
@Suite("Broadcasting", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct BroadcastingTests {
    static let size = PixelSize(width: 320, height: 240)

    /// The parts of a statistics line that the tests use.
    private struct Statistics: Codable {
        struct Broadcast: Codable {
            var url: String
            var state: String
            var isViewersEncode: Bool
            var pictures: Int
            var keyframes: Int
            var soundPackets: Int
            var connections: Int
            var drops: [String: Int]
        }
        var width: Int
        var broadcasts: [Broadcast]
    }

    /// FFmpeg or GStreamer as the recipient of the stream; its decoded pictures are read.
    private final class Receiver {
        let pictures: PicturePipe
        let program: RunningProgram
        private let folder: String

        convenience init(
            _ port: UInt16, _ parameters: String = "", size: PixelSize = BroadcastingTests.size
        ) throws {
            try self.init(from: "srt://127.0.0.1:\(port)?mode=listener\(parameters)", size: size)
        }

        convenience init(from url: String, size: PixelSize = BroadcastingTests.size) throws {
            try self.init(size) { pictures in
                ["ffmpeg", "-nostdin", "-v", "error", "-fflags", "nobuffer", "-analyzeduration", "500000"]
                    + ["-i", url, "-map", "0:v", "-fps_mode", "passthrough", "-pix_fmt", "bgr0"]
                    + ["-f", "rawvideo", "-y", pictures]
            }
        }

        /// Uses GStreamer instead.
        convenience init(gstreamer port: UInt16, size: PixelSize = BroadcastingTests.size) throws {
            try self.init(size) { pictures in
                ["gst-launch-1.0", "-q", "srtsrc", "uri=srt://127.0.0.1:\(port)?mode=listener", "!", "tsdemux", "!"]
                    + ["h264parse", "!", "avdec_h264", "!", "videoconvert", "!", "video/x-raw,format=BGRx", "!"]
                    + ["filesink", "buffer-mode=unbuffered", "location=\(pictures)"]
            }
        }

        /// - Parameter command: the program that writes pictures to the given file.
        private init(_ size: PixelSize, command: (String) -> [String]) throws {
            folder = NSTemporaryDirectory() + "/heliograph-receiver-\(UUID().uuidString)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            pictures = try PicturePipe(folder + "/pictures", size: size)
            let words = command(folder + "/pictures")
            program = try RunningProgram(words[0], Array(words.dropFirst()), environment: [:])
        }

        deinit {
            program.kill()
            try? FileManager.default.removeItem(atPath: folder)
        }

        /// Waits until the receiver's picture resembles this screen; returns the peak signal-to-noise ratio in dB.
        func likeness(to screen: Screenshot, atLeast decibels: Double) throws -> Double {
            var best = 0.0
            let patience = Patience()
            while best < decibels, !patience.isOver { best = max(best, screen.psnr(try next())) }
            return best
        }

        func next() throws -> Screenshot {
            do { return try pictures.next() } catch {
                throw Patience.Exhausted(description: "no picture; the player said: \(program.text)")
            }
        }
    }

    private static func keys(_ lines: String) throws -> String {
        let path = NSTemporaryDirectory() + "/heliograph-keys-\(UUID().uuidString)"
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data((lines + "\n").utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        return path
    }

    private static func port() throws -> UInt16 { try #require(LoopbackPort.find()) }

    private func statistics(
        _ what: String, of share: RunningProgram, where isWanted: (Statistics) -> Bool
    ) throws -> Statistics {
        var told: Statistics?
        try share.line(what) { line in
            guard line.contains("\"broadcasts\"") else { return false }
            told = try JSONDecoder().decode(Statistics.self, from: Data(line.utf8))
            return told.map(isWanted) ?? false
        }
        return try #require(told)
    }

    @Test("the screen is seen by SRT, as it is and as it becomes, beside a viewer", arguments: ["FFmpeg", "GStreamer"])
    func seen(player: String) throws {
        let port = try Self.port()
        let receiver = try player == "FFmpeg" ? Receiver(port) : Receiver(gstreamer: port)
        let desktop = try SharedDesktop(
            Self.size, share: ["--broadcast", "srt://127.0.0.1:\(port)"] + SharedDesktop.statistics)
        desktop.source.fill(SharingTests.patchwork(Self.size))
        try desktop.share.line(with: "Live at srt://127.0.0.1:\(port).")
        try desktop.watch()
        let first = try receiver.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(first >= 30, "\(first) dB")
        desktop.source.fill(SharingTests.patchwork(Self.size, seed: 2))
        let second = try receiver.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(second >= 30, "\(second) dB")
        #expect(try desktop.waitForLikeness(30) >= 30)
        // Even without motion, pictures are sent, and a keyframe every 2 s.
        let before = try statistics("statistics", of: desktop.share) { _ in true }.broadcasts[0]
        let after = try statistics("five keyframes", of: desktop.share) {
            $0.broadcasts[0].keyframes >= before.keyframes + 5
        }.broadcasts[0]
        #expect(after.pictures - before.pictures >= 40)
        #expect(after.drops == [:] && after.connections == 1)
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
    }

    @Test("a server by RTMP or RTMPS passes the screen on, and its key is told nobody", arguments: [false, true])
    func rtmp(isSecure: Bool) throws {
        let server = try NginxServer()
        let url =
            isSecure
            ? "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(server.fingerprint)"
            : "rtmp://127.0.0.1:\(server.port)/live"
        let keys = try Self.keys("correct-horse")
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let desktop = try SharedDesktop(
            Self.size, share: ["--broadcast", url, "--broadcast-keys", keys])
        desktop.source.fill(SharingTests.patchwork(Self.size))
        try desktop.share.line(with: "Live at \(isSecure ? "rtmps" : "rtmp")://127.0.0.1:")
        let player = try Receiver(from: "rtmp://127.0.0.1:\(server.port)/live/correct-horse")
        let first = try player.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(first >= 30, "\(first) dB")
        desktop.source.fill(SharingTests.patchwork(Self.size, seed: 2))
        let second = try player.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(second >= 30, "\(second) dB")
        // The server is killed, and returns.
        server.program.kill()
        try desktop.share.line(with: "Not live at ")
        try server.restart()
        try desktop.share.line(with: "Live at ")
        // The server has recorded more than a header once a player receives the stream again.
        let returned = try Receiver(from: "rtmp://127.0.0.1:\(server.port)/live/correct-horse")
        let third = try returned.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(third >= 30, "\(third) dB")
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        #expect(!desktop.share.text.contains("correct-horse"))
        #expect(try Tool.run(["ffprobe", "-v", "error", server.recording(of: "correct-horse")], errors: true).isEmpty)
    }

    /// aiortc behind a WHIP endpoint logs what it has decoded.
    @Test("a server by WHIP gets the screen, and its token is told nobody")
    func whip() throws {
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../ForeignPeers/Programs/whip.py").standardized.path
        let port = try Self.port()
        let server = try LoggedProgram(
            ["/usr/bin/python3", program, "aiortc", "--port", "\(port)", "--token", "correct-horse"], environment: [:],
            folder: "/")
        defer { server.kill() }
        try server.wait(for: "listening")
        let keys = try Self.keys("correct-horse")
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let desktop = try SharedDesktop(
            Self.size,
            share: ["--broadcast", "whip://127.0.0.1:\(port)/whip/endpoint", "--broadcast-keys", keys])
        let moving = try MovingPicture(on: desktop.source, Self.size)
        defer { moving.stop() }
        try desktop.share.line(with: "Live at whip://127.0.0.1:\(port).")
        try server.wait(for: "\"width\": 320")
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        try server.wait(for: "delete ")
        #expect(!desktop.share.text.contains("correct-horse"))
    }

    @Test("a server that refuses the key, or has another certificate, is not asked again")
    func refusedForGood() throws {
        let server = try NginxServer()
        let keys = try Self.keys("correct-horse\nbattery-staple")
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let wrong = String(repeating: "00", count: 32)
        let desktop = try SharedDesktop(
            Self.size,
            share: SharedDesktop.statistics + ["--broadcast-keys", keys]
                + ["--broadcast", "rtmp://127.0.0.1:\(server.port)/locked"]
                + ["--broadcast", "rtmps://127.0.0.1:\(server.securePort)/live#sha256=\(wrong)"])
        let told = try statistics("two refusals", of: desktop.share) {
            $0.broadcasts.allSatisfy { $0.state == "refused" }
        }
        #expect(told.broadcasts.allSatisfy { $0.connections == 0 })
        #expect(desktop.share.text.contains("Not broadcast at rtmp://127.0.0.1:\(server.port), "))
        #expect(desktop.share.text.contains("Not broadcast at rtmps://127.0.0.1:\(server.securePort), "))
        try desktop.watch()
    }

    @Test("a broadcast has a size of its own, and several go at once; one that is refused ends alone")
    func several() throws {
        let (small, encrypted, wrong) = (try Self.port(), try Self.port(), try Self.port())
        let size = PixelSize(width: 160, height: 120)
        let keys = try Self.keys("\npassphrase=correct-horse\npassphrase=battery-staple")
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let receivers = (
            try Receiver(small, size: size), try Receiver(encrypted, "&passphrase=correct-horse", size: size),
            try Receiver(wrong, "&passphrase=correct-horse", size: size)
        )
        let desktop = try SharedDesktop(
            Self.size,
            share: SharedDesktop.statistics + ["--broadcast-keys", keys, "--broadcast-size", "160x120"]
                + [small, encrypted, wrong].flatMap { ["--broadcast", "srt://127.0.0.1:\($0)"] })
        let moving = try MovingPicture(on: desktop.source, Self.size)
        defer { moving.stop() }
        try desktop.share.line(with: "Not broadcast at srt://127.0.0.1:\(wrong), ")
        try desktop.watch()
        let told = try statistics("three broadcasts", of: desktop.share) {
            $0.broadcasts.map(\.state) == ["live", "live", "refused"]
        }
        #expect(told.width == 320)
        for receiver in [receivers.0, receivers.1] {
            for _ in 0..<20 {
                do { _ = try receiver.next() } catch {
                    throw Patience.Exhausted(description: "\(error); the host said: \(desktop.share.text.suffix(2000))")
                }
            }
        }
        let process = try String(
            decoding: Data(contentsOf: URL(filePath: "/proc/\(desktop.share.processIdentifier)/cmdline")),
            as: UTF8.self)
        for secret in ["correct-horse", "battery-staple"] {
            #expect(!desktop.share.text.contains(secret) && !process.contains(secret))
        }
    }

    @Test("a server that is away at the start, or goes, is live again when it is back")
    func away() throws {
        let port = try Self.port()
        let desktop = try SharedDesktop(
            Self.size, share: ["--broadcast", "srt://127.0.0.1:\(port)?conntimeo=500"])
        desktop.source.fill(SharingTests.patchwork(Self.size))
        try desktop.share.line(with: "Not live at srt://127.0.0.1:\(port): ")
        for _ in 0..<2 {
            let receiver = try Receiver(port)
            try desktop.share.line(with: "Live at srt://127.0.0.1:\(port).")
            let likeness = try receiver.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
            #expect(likeness >= 30, "\(likeness) dB")
            receiver.program.kill()
            try desktop.share.line(with: "Not live at srt://127.0.0.1:\(port): ")
        }
    }

    @Test(
        "the viewers' encode serves the broadcast where its settings are the same, and only there",
        arguments: [true, false])
    func oneEncode(isShared: Bool) throws {
        let port = try Self.port()
        let receiver = try Receiver(port)
        let desktop = try SharedDesktop(
            Self.size,
            share: SharedDesktop.statistics + ["--broadcast", "srt://127.0.0.1:\(port)", "--bitrate", "3M"]
                + ["--fps", "30", "--adapt", isShared ? "off" : "auto"])
        desktop.source.fill(SharingTests.patchwork(Self.size))
        try desktop.share.line(with: "Live at ")
        try desktop.watch()
        let likeness = try receiver.likeness(to: desktop.source.screenshot(Self.size), atLeast: 30)
        #expect(likeness >= 30, "\(likeness) dB")
        let told = try statistics("a broadcast", of: desktop.share) { _ in true }
        #expect(told.broadcasts.map(\.isViewersEncode) == [isShared])
    }

    @Test("the sound that is shared is heard", arguments: ["aac", "opus"])
    func sound(codec: String) throws {
        let port = try Self.port()
        let file = NSTemporaryDirectory() + "/heliograph-\(UUID().uuidString).mkv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let receiver = try RunningProgram(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-analyzeduration", "3000000", "-i", "srt://127.0.0.1:\(port)?mode=listener"]
                + ["-t", "4", "-c", "copy", "-y", file], environment: [:])
        let server = try PulseServer()
        // It plays before the receiver's four seconds begin.
        let player = try server.play(Tone.sine(440, from: 0, count: 60 * 48_000), by: "a")
        defer { player.kill() }
        let desktop = try SharedDesktop(
            Self.size,
            share: ["--broadcast", "srt://127.0.0.1:\(port)", "--broadcast-sound", codec],
            environments: (server.environment, SharedDesktop.noSound))
        let moving = try MovingPicture(on: desktop.source, Self.size)
        defer { moving.stop() }
        #expect(receiver.waitUntilExit() == 0)
        let text = String(
            decoding: try Tool.run(
                ["ffmpeg", "-v", "info", "-i", file, "-map", "0:a", "-af", "volumedetect", "-f", "null", "-"],
                errors: true), as: UTF8.self)
        #expect(text.contains(codec == "aac" ? "Audio: aac" : "Audio: opus"))
        let loudness = text.components(separatedBy: "max_volume: ").dropFirst().first?.prefix {
            "-.0123456789".contains($0)
        }
        #expect(loudness.flatMap { Double($0) } ?? -200 > -20, "\(text)")
    }

    /// Writes a keyframe in each call that requests one.
    private final class ReadyEncoder: VideoSourcePlugin {
        let source = Mutex<MirrorSource?>(nil)
        private let count = Mutex(0)

        func initialize(_ attributes: MediaAttributes) {}
        func start() { write() }
        func pause() {}
        func resume() { write() }
        func stop() {}
        func attributesChanged(_ attributes: MediaAttributes) {}
        func keyframeNeeded(reason: String) { write() }
        func bitrateSuggested(_ bitsPerSecond: Int) {}

        private func write() {
            let index = count.withLock { count in
                count += 1
                return count
            }
            _ = try? source.withLock { $0 }?.write(SDKTests.frame(index, isKeyframe: true))
        }
    }

    @Test("frames that an app encodes are broadcast as they are, also those that it writes as it is asked for them")
    func app() async throws {
        let port = try Self.port()
        let home = NSTemporaryDirectory() + "/heliograph-home-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home
        options.broadcast = BroadcastOptions(
            to: [try BroadcastDestination(url: "srt://127.0.0.1:\(port)?mode=listener")])
        let encoder = ReadyEncoder()
        let source = try await MirrorSource.start(options, video: SDKTests.video, plugin: encoder)
        encoder.source.withLock { $0 = source }
        let receiver = try RunningProgram(
            "srt-live-transmit", ["-a:no", "-ll:fatal", "srt://127.0.0.1:\(port)", "file://con"], environment: [:])
        defer { receiver.kill() }
        // Two keyframes: at the start, and when one is due.
        let isSent = Patience().wait { source.broadcasts.first.map { $0.keyframes >= 2 && $0.state == .live } ?? false }
        #expect(isSent, "\(source.broadcasts)")
        #expect(source.broadcasts.map(\.isViewersEncode) == [true])
        encoder.source.withLock { $0 = nil }
        await source.stop()
        #expect(source.broadcasts.map(\.state) == [.ended])
    }

    @Test("a killed broadcast is warned of after 15 to 20 seconds, and one that ends in good order is not")
    func watchdog() throws {
        let folder = NSTemporaryDirectory() + "/heliograph-heartbeat-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for isKilled in [true, false] {
            let watchdog = try RunningProgram(SharedDesktop.heliograph, ["watchdog", folder], environment: [:])
            let desktop = try SharedDesktop(
                Self.size, share: ["--broadcast", "srt://127.0.0.1:\(try Self.port())", "--heartbeat", folder])
            try watchdog.line(with: "The broadcast is running.")
            let start = ContinuousClock.now
            desktop.share.kill(isKilled ? SIGKILL : SIGTERM)
            #expect(watchdog.waitUntilExit() == (isKilled ? 1 : 0))
            let passed = ContinuousClock.now - start
            #expect(watchdog.text.contains("its process was killed") == isKilled)
            // The last beat is up to 5 s old, and the file is read every second.
            if isKilled { #expect(passed > .seconds(9) && passed < .seconds(22)) }
        }
    }

    @Test(
        "what can't be broadcast is an error that says what to do",
        arguments: [
            (["--broadcast", "rtsp://127.0.0.1/live"], "it begins with rtmp://, rtmps://, srt:// or whips://."),
            (["--broadcast", "rtmp://127.0.0.1/live"], "Give --broadcast-keys FILE"),
            (["--broadcast", "srt://127.0.0.1"], "it goes srt://HOST:PORT"),
            (["--broadcast", "srt://127.0.0.1:9000", "--broadcast-fps", "0"], "give a number from 1 to 120"),
            (["--broadcast", "srt://127.0.0.1:9000", "--broadcast-bitrate", "1k"], "give a number from 100k to 100M"),
            (["--broadcast", "srt://127.0.0.1:9000", "--broadcast-size", "17x17"], "even numbers"),
            (["--broadcast", "srt://127.0.0.1:9000", "--broadcast-sound", "mp3"], "give aac, opus or off"),
            (["--heartbeat", "/tmp/none"], "give --broadcast too"),
        ])
    func refused(arguments: [String], sentence: String) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let desktop = try Desktop(Self.size)
        let share = try desktop.start(
            SharedDesktop.heliograph, ["share", "--address", "127.0.0.1", "--port", "0", "--no-discovery"] + arguments,
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": home.path]) { $1 })
        #expect(share.waitUntilExit() != 0)
        #expect(share.text.contains(sentence), "\(share.text)")
    }
}
