import Foundation
import HelioCore
import HelioLoop
import HelioMedia
import HelioRTSPClient
import HelioRTSPServer
import HelioServing
import HelioTestLanes
import HelioTestPrograms
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// Sound beside pictures with third-party programs: FFmpeg and GStreamer play from our server, publish to it, and serve
/// and receive streams of their own.
@Suite("Sound with other programs", .serialized, .timeLimit(.minutes(5)), .tags(.quiet))
struct ForeignSoundTests {
    enum Transport: String, CaseIterable, Sendable {
        case udp, tcp
    }

    private let folder: URL
    private let scene: FlashAndTone
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private static let format = VideoFormat(
        codec: .h264, size: FlashAndTone.size, framesPerSecond: 25, bitrate: .megabits(2))

    init() throws {
        scene = try FlashAndTone.shared.get()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// Runs a test's body for several cases at once, each in a folder of its own: the sound takes real time, but little
    /// of the machine.
    private func together<Case: Sendable>(
        _ cases: [Case], _ body: @escaping @Sendable (ForeignSoundTests, Case) async throws -> Void
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for one in cases {
                group.addTask {
                    let tests = try ForeignSoundTests()
                    defer { try? FileManager.default.removeItem(at: tests.folder) }
                    try await body(tests, one)
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: Playing from us

    /// Serves the scene while `body` runs.
    private func serve(
        _ sound: SoundEncode, _ body: (_ url: String) async throws -> Void
    ) async throws {
        let stream = StreamMailbox(on: loop)
        let wanted = Mutex([[SoundOrigin: SoundDemand]]())
        let server = try await RTSPServer<RTSPPlayServer>.start(
            .init(address: "127.0.0.1", port: 0, credentials: nil), format: Self.format, sound: sound, stream: stream,
            on: loop
        ) { event in
            if case .soundWanted(let demands) = event { wanted.withLock { $0.append(demands) } }
        }
        let feed = SceneFeed(scene, sound: sound, to: stream)
        do {
            try await body("rtsp://127.0.0.1:\(server.localPort)/screen")
        } catch {
            feed.stop()
            await server.stop()
            throw error
        }
        feed.stop()
        try await eventually("nobody listens any more") { wanted.withLock { $0.last == [:] } }
        #expect(wanted.withLock { $0.first?[.system]?.encodes } == [sound])
        await server.stop()
    }

    @Test(
        "FFmpeg plays both tracks of ours: the right pitch, no gap, and in step", arguments: [SoundEncode.aac, .opus])
    func ffmpegPlays(encode: SoundEncode) async throws {
        try await together(Transport.allCases) { try await $0.ffmpegPlays($1, encode) }
    }

    private func ffmpegPlays(_ transport: Transport, _ encode: SoundEncode) async throws {
        try await serve(encode) { url in
            let player = try RunningProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "warning", "-nostdin", "-y", "-rtsp_transport", transport.rawValue,
                    "-i", url, "-t", "6", "-c", "copy", "-f", "matroska", file("copy.mkv").path,
                ], environment: [:])
            let code = try await player.exitCode()
            #expect(code == 0, "\(player.text)")
        }
        let tone = try decode("copy.mkv")
        tone.expectTone(bursts: 3)
        try expectInStep(tone, pictures: "copy.mkv")
    }

    /// Decodes a file's sound to one channel of 48 kHz that begins at the file's time 0.
    private func decode(_ name: String) throws -> HeardTone {
        try Tool.run([
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", file(name).path, "-vn", "-af",
            "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000", "-f", "f32le", file("sound.raw").path,
        ])
        return try HeardTone(file: file("sound.raw"))
    }

    /// Checks that the picture becomes white when the tone begins.
    private func expectInStep(_ tone: HeardTone, pictures name: String) throws {
        try Tool.run([
            "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-i", file(name).path, "-an", "-vf",
            "fps=200:start_time=0,scale=1:1:flags=area,format=gray", "-f", "rawvideo", file("light.raw").path,
        ])
        let light = [UInt8](try Data(contentsOf: file("light.raw")))
        let flashes = light.indices.dropFirst().filter { light[$0] > 128 && light[$0 - 1] <= 128 }.map {
            Double($0) / 200
        }
        let tones = tone.bursts.map { Double($0.lowerBound) / HeardTone.rate }
        #expect(flashes.count >= 3)
        for flash in flashes {
            guard let nearest = tones.min(by: { abs($0 - flash) < abs($1 - flash) }), abs(nearest - flash) < 0.5 else {
                continue
            }
            #expect(abs(nearest - flash) < 0.04, "the tone is \(Int((nearest - flash) * 1000)) ms off")
        }
    }

    @Test("GStreamer plays both tracks of ours", arguments: [SoundEncode.aac, .opus])
    func gstreamerPlays(encode: SoundEncode) async throws {
        try await together(Transport.allCases) { try await $0.gstreamerPlays($1, encode) }
    }

    private func gstreamerPlays(_ transport: Transport, _ encode: SoundEncode) async throws {
        try await serve(encode) { url in
            let sound = encode.codec == .aac ? "rtpmp4gdepay ! avdec_aac" : "rtpopusdepay ! opusdec"
            let player = try RunningProgram(
                "gst-launch-1.0",
                ("-q rtspsrc name=source location=\(url) protocols=\(transport.rawValue) latency=200 "
                    + "source. ! application/x-rtp,media=video ! rtph264depay ! avdec_h264 ! videoconvert "
                    + "! video/x-raw,format=GRAY8 ! filesink location=\(file("light.raw").path) sync=false "
                    + "source. ! application/x-rtp,media=audio ! \(sound) ! audioconvert ! audioresample "
                    + "! audio/x-raw,format=F32LE,rate=48000,channels=1 "
                    + "! filesink location=\(file("sound.raw").path) sync=false")
                    .split(separator: " ").map { String($0) }, environment: [:])
            let enough = 48000 * 4 * 6
            let path = file("sound.raw").path
            try await eventually("six seconds were heard", sees: "\(player.text)") {
                let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                return size ?? 0 > enough
            }
            player.kill()
        }
        let pictures =
            try Data(contentsOf: file("light.raw")).count / (FlashAndTone.size.width * FlashAndTone.size.height)
        #expect(pictures > 100)
        let tone = try HeardTone(file: file("sound.raw"))
        tone.expectTone(bursts: 4)
    }

    // MARK: Publishing from us

    @Test("GStreamer's server takes both tracks of ours", arguments: [SoundEncode.aac, .opus])
    func gstreamerTakes(encode: SoundEncode) async throws {
        try await together(Transport.allCases) { try await $0.gstreamerTakes($1, encode) }
    }

    private func gstreamerTakes(_ transport: Transport, _ encode: SoundEncode) async throws {
        let sound = encode.codec == .aac ? "rtpmp4gdepay name=depay1 ! avdec_aac" : "rtpopusdepay name=depay1 ! opusdec"
        let server = try GStreamerServer(
            .pipeline(
                "( rtph264depay name=depay0 ! avdec_h264 ! fakesink sync=false async=false \(sound) ! audioconvert "
                    + "! audioresample ! audio/x-raw,format=F32LE,rate=48000,channels=1 "
                    + "! filesink location=\(file("sound.raw").path) sync=false async=false )"),
            transport: transport == .tcp ? .tcp : .all)
        let stream = StreamMailbox(on: loop)
        let told = Mutex([String]())
        let client = try await RTSPClient<RTSPRecordClient>.record(
            to: try RTSPAddress(parsing: server.pushAddress), format: Self.format, sound: encode,
            isInterleavedOnly: transport == .tcp, stream: stream, on: loop
        ) { event in
            switch event {
            case .watched, .keyframeNeeded, .frameNeeded: break
            default: told.withLock { $0.append("\(event)") }
            }
        }
        let feed = SceneFeed(scene, sound: encode, to: stream)
        let path = file("sound.raw").path
        let enough = 48000 * 4 * 6
        try await eventually("six seconds were heard", sees: told.withLock { "\($0)" }) {
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            return size ?? 0 > enough
        }
        #expect(try await client.statistics().sent.soundPackets > 250)
        feed.stop()
        await client.stop()
        let tone = try HeardTone(file: file("sound.raw"))
        tone.expectTone(bursts: 4)
    }

    // MARK: Sound from third-party programs

    /// The received sound of a third-party program.
    private struct Heard: Sendable {
        var formats: [String] = []
        var sounds: [ReceivedSound] = []
        var clocks: [SoundClock] = []
        var frames: [ReceivedFrame] = []
        var failures: [String] = []
    }

    /// Checks that nothing was dropped except before the first keyframe.
    private func expectNoDrops(_ statistics: SinkStatistics) {
        let drops = statistics.drops.filter { !["jitter-awaitingKeyframe", "media-cannot-ask"].contains($0.key) }
        #expect(drops.isEmpty, "\(drops)")
    }

    /// Checks that a tone of AAC or PCM samples is right, and synchronised with the pictures.
    private func expectTone(_ heard: Heard, rate: Int, rateIndex: UInt8 = 3, channels: UInt8 = 2) throws {
        let sounds = heard.sounds
        let first = try #require(sounds.first)
        for (earlier, later) in zip(sounds, sounds.dropFirst()) {
            #expect(later.sequence.rawValue == earlier.sequence.rawValue + 1)
        }
        let seconds = Double(sounds.last?.mediaTime ?? 0) / 48000 - Double(first.mediaTime) / 48000
        switch first.codec {
        case .aac:
            let units = Double(sounds.count - 1) * 1024 / Double(rate)
            #expect(abs(units - seconds) < 0.05, "\(units) s of sound in \(seconds) s")
            try Data(FlashAndTone.adts(sounds.map(\.payload), rateIndex: rateIndex, channels: channels))
                .write(to: file("heard.aac"))
            try decode("heard.aac").expectPureTone()
        case .pcm:
            try Data(sounds.flatMap(\.payload)).write(to: file("heard.raw"))
            try Tool.run([
                "ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "s16be", "-ar", "\(rate)",
                "-ac",
                "\(channels)", "-i", file("heard.raw").path, file("heard.wav").path,
            ])
            try decode("heard.wav").expectPureTone()
        case .opus:
            // GStreamer subtracts the encoder's priming from the first packet.
            let lengths = zip(sounds.dropFirst(), sounds.dropFirst(2)).map { $1.mediaTime - $0.mediaTime }
            #expect(Set(lengths).count == 1, "\(Set(lengths))")
        }
        // Both were generated at the same time, and must have equal capture times.
        let clock = try #require(heard.clocks.last)
        let frame = try #require(heard.frames.last { $0.sourceTiming != nil })
        let sound = try #require(
            sounds.min {
                abs(($0.arrival - frame.completed).nanoseconds) < abs(($1.arrival - frame.completed).nanoseconds)
            })
        let captured = clock.captured + .nanoseconds((sound.mediaTime - clock.mediaTime) * 1_000_000_000 / 48000)
        let offset = try #require(frame.sourceTiming?.captured) - captured
        #expect(abs(offset.milliseconds) < 400, "\(offset.milliseconds) ms between pictures and sound")
    }

    private static let bars =
        "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=25/1 "
        + "! x264enc tune=zerolatency key-int-max=25 ! rtph264pay name=pay0 pt=96"
    private static let tone = "audiotestsrc is-live=true freq=440 volume=0.5 ! audioconvert ! audioresample "

    @Test("GStreamer's server is played with its sound", arguments: ["aac", "opus", "l16", "pcma"])
    func played(codec: String) async throws {
        try await together(Transport.allCases) { try await $0.played($1, codec) }
    }

    private func played(_ transport: Transport, _ codec: String) async throws {
        let coder =
            switch codec {
            case "aac": "! audio/x-raw,rate=44100,channels=2 ! avenc_aac ! rtpmp4gpay"
            case "opus": "! audio/x-raw,rate=48000,channels=2 ! opusenc ! rtpopuspay"
            case "l16": "! audio/x-raw,rate=44100,channels=2 ! rtpL16pay"
            default: "! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay"
            }
        let server = try GStreamerServer(
            .pipeline("( \(Self.bars) \(Self.tone) \(coder) name=pay1 pt=\(codec == "pcma" ? 8 : 97) )"),
            transport: transport == .tcp ? .tcp : .all)
        let heard = Mutex(Heard())
        let client = try await RTSPClient<RTSPPlayClient>.play(try RTSPAddress(parsing: server.address()), on: loop) {
            event in
            heard.withLock { heard in
                switch event {
                case .soundFormat(let codec, let format, _):
                    heard.formats.append("\(codec.rawValue) \(format.sampleRate)/\(format.channels)")
                case .sound(let sound): heard.sounds.append(sound)
                case .soundClock(let clock): heard.clocks.append(clock)
                case .frame(let frame): heard.frames.append(frame)
                case .noSound(let reason): heard.failures.append(reason)
                case .ended(let error): heard.failures.append(error.message)
                case .playing: break
                }
            }
        }
        try await eventually("five seconds were heard", sees: heard.withLock { "\($0.sounds.count) \($0.failures)" }) {
            heard.withLock { heard in
                guard let first = heard.sounds.first, let last = heard.sounds.last else { return false }
                return last.mediaTime - first.mediaTime > 48000 * 5 && !heard.clocks.isEmpty
            }
        }
        let statistics = try await client.statistics()
        await client.stop()
        let all = heard.withLock { $0 }
        let format = ["aac": "aac 44100/2", "opus": "opus 48000/2", "l16": "pcm 44100/2", "pcma": "pcm 8000/1"][codec]
        #expect(all.formats == [format ?? ""] && all.failures.isEmpty)
        #expect(all.frames.count > 100)
        expectNoDrops(statistics)
        try expectTone(
            all, rate: codec == "pcma" ? 8000 : 44100, rateIndex: 4, channels: codec == "pcma" ? 1 : 2)
    }

    enum Publisher: String, Sendable {
        case ffmpegUDP, ffmpegTCP, ffmpegOpus, gstreamerUDP, gstreamerTCP
    }

    @Test(
        "FFmpeg and GStreamer publish their sound to us",
        arguments: [[Publisher.ffmpegUDP, .ffmpegTCP, .ffmpegOpus], [.gstreamerUDP, .gstreamerTCP]])
    func published(publishers: [Publisher]) async throws {
        try await together(publishers) { try await $0.published($1) }
    }

    private func published(_ publisher: Publisher) async throws {
        let heard = Mutex(Heard())
        let server = try await RTSPServer<RTSPRecordServer>.start(
            .init(address: "127.0.0.1", port: 0, credentials: nil), on: loop
        ) { event in
            heard.withLock { heard in
                switch event {
                case .soundFormat(let codec, let format, _):
                    heard.formats.append("\(codec.rawValue) \(format.sampleRate)/\(format.channels)")
                case .sound(let sound): heard.sounds.append(sound)
                case .soundClock(let clock): heard.clocks.append(clock)
                case .frame(let frame): heard.frames.append(frame)
                case .noSound(let reason): heard.failures.append(reason)
                case .refused(_, let reason): heard.failures.append(reason)
                case .playing, .left: break
                }
            }
        }
        let url = "rtsp://127.0.0.1:\(server.localPort)/live"
        let program: RunningProgram
        switch publisher {
        case .ffmpegUDP, .ffmpegTCP, .ffmpegOpus:
            let codec = publisher == .ffmpegOpus ? ["-c:a", "libopus"] : ["-c:a", "aac"]
            program = try RunningProgram(
                "ffmpeg",
                [
                    "-hide_banner", "-loglevel", "error", "-nostdin", "-re", "-f", "lavfi", "-i",
                    "testsrc2=size=320x240:rate=25", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000", "-af",
                    "volume=4", "-ac", "2", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g",
                    "25", "-pix_fmt", "yuv420p",
                ] + codec + [
                    "-f", "rtsp", "-rtsp_transport", publisher == .ffmpegTCP ? "tcp" : "udp", url,
                ], environment: [:])
        case .gstreamerUDP, .gstreamerTCP:
            program = try RunningProgram(
                "gst-launch-1.0",
                ("-q rtspclientsink name=sink location=\(url) protocols=\(publisher == .gstreamerTCP ? "tcp" : "udp") "
                    + "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=25/1 "
                    + "! x264enc tune=zerolatency key-int-max=25 ! sink. "
                    + "audiotestsrc is-live=true freq=440 volume=0.5 ! audioconvert ! audioresample "
                    + "! audio/x-raw,rate=48000,channels=2 ! avenc_aac ! aacparse ! sink.")
                    .split(separator: " ").map { String($0) }, environment: [:])
        }
        try await eventually("five seconds were heard", sees: heard.withLock { "\($0.sounds.count) \($0.failures)" }) {
            heard.withLock { heard in
                guard let first = heard.sounds.first, let last = heard.sounds.last else { return false }
                return last.mediaTime - first.mediaTime > 48000 * 5 && !heard.clocks.isEmpty
            }
        }
        let statistics = try await server.statistics()
        program.kill()
        await server.stop()
        let all = heard.withLock { $0 }
        #expect(all.formats == [publisher == .ffmpegOpus ? "opus 48000/2" : "aac 48000/2"] && all.failures.isEmpty)
        #expect(all.frames.count > 100)
        expectNoDrops(statistics)
        try expectTone(all, rate: 48000)
    }
}
