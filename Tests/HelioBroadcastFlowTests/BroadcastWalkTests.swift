import Foundation
import HelioAppModels
import HelioAppleMedia
import HelioBroadcastFlow
import HelioCore
import HelioLinuxSource
import HelioScreenReading
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Synchronization
import Testing

/// A whole broadcast over real sockets: pictures encoded by x264 instead of VideoToolbox, the extension's flow, and at
/// the other end the app with a viewer, or a third-party server.
@Suite("Broadcasts by real sockets", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
@MainActor
struct BroadcastWalkTests {
    /// A broadcast extension in this process that receives a picture every 33 ms.
    final class Extension: Sendable {
        let flow: ExtensionFlow
        let failed = Failures()
        private let feeding: Task<Void, any Error>

        init(_ group: Group, _ size: PixelSize) throws {
            let box = Box()
            let pipeline = ExtensionPipeline(
                sessions: TestSessions(), transfers: TestTransfers(), now: { .zero },
                emit: { frame, size in box.flow?.take(frame, size: size) })
            let flow = ExtensionFlow(group.surroundings(isReal: true) { [failed] in failed.add($0) }, coder: pipeline)
            box.set(flow)
            self.flow = flow
            feeding = Task.detached {
                var number = 0
                while true {
                    if flow.takesPicture() {
                        let picture = try PlanarPicture(size: size, chroma: .yuv420, color: .bt709)
                        pipeline.take(picture, turn: .none, captured: .zero + .milliseconds(number * 33))
                    }
                    let sound = [Float](repeating: 0.1, count: 2 * 1584)
                    flow.take(
                        SoundSamples(sound, presentationTime: .milliseconds(number * 33)), of: .system)
                    flow.tick()
                    number += 1
                    try await Task.sleep(for: .milliseconds(33))
                }
            }
        }

        deinit { feeding.cancel() }
    }

    final class Failures: Sendable {
        private let all = Mutex<[Phrase]>([])
        func add(_ phrase: Phrase) { all.withLock { $0.append(phrase) } }
        var list: [Phrase] { all.withLock { $0 } }
    }

    /// Holds the flow for the coder, which is made before it.
    final class Box: Sendable {
        private let kept = Mutex<ExtensionFlow?>(nil)
        func set(_ flow: ExtensionFlow) { kept.withLock { $0 = flow } }
        var flow: ExtensionFlow? { kept.withLock { $0 } }
    }

    @Test("to the app: a viewer sees it by the code on the screen, and the app's end is the extension's")
    func relay() async throws {
        let group = try Group()
        var shared: [RelayedSharing] = []
        let flow = BroadcastFlow(
            BroadcastSurroundings(
                store: GroupDefaults(group), folder: group.folder,
                share: { socket in
                    var options = MirrorSource.Options()
                    options.address = "127.0.0.1"
                    options.port = 0
                    options.home = group.folder.path
                    shared.append(try await RelayedSharing.start(options, socket: socket))
                    return shared[shared.count - 1]
                }))
        let table = try TextTable()
        let read = { table.read(flow.screen.model.screen) }
        let start = try #require(table.action("Start the broadcast", on: flow.screen.model.screen))
        flow.screen.press(start)
        try await eventually("the app listens", sees: read()) { flow.isPickerShown && read().contains("Code: ") }
        let screen = try #require(shared.first).screen
        #expect(read().contains(try await screen.source.link.code))

        let broadcast = try Extension(group, PixelSize(width: 180, height: 320))
        broadcast.flow.perform(.open(setup: [:]))
        let link = try await screen.source.link.text
        let sink = try MirrorSink(link: link)
        let counter = Counter()
        let reading = Task { [events = sink.events] in
            for await event in events {
                if case .received(.video, let frame) = event { counter.add(frame.isKeyframe) }
            }
        }
        sink.start()
        try await eventually("the viewer has pictures", sees: "\(counter.all)") { counter.all.pictures > 5 }
        #expect(counter.all.keyframes > 0)
        try await eventually("sound comes") { screen.statistics.sounds > 0 }
        flow.screen.tick()
        try await eventually("the app sees it live", sees: read()) {
            flow.screen.tick()
            return read().contains("The broadcast runs.")
        }
        let end = try #require(table.action("End the broadcast", on: flow.screen.model.screen))
        flow.screen.press(end)
        try await eventually("the extension ends in words") { broadcast.failed.list == [Phrase(.extAppGone)] }
        await sink.stop()
        reading.cancel()
    }

    final class Counter: Sendable {
        private let counts = Mutex((pictures: 0, keyframes: 0))
        func add(_ isKeyframe: Bool) {
            counts.withLock { counts in
                counts.pictures += 1
                if isKeyframe { counts.keyframes += 1 }
            }
        }
        var all: (pictures: Int, keyframes: Int) { counts.withLock { $0 } }
    }

    @Test("to a server by RTMP: nginx passes pictures on of the right size, and the end is clean")
    func rtmp() async throws {
        let server = try NginxServer()
        let group = try Group()
        group.set("rtmp://127.0.0.1:\(server.port)/live", for: BroadcastKeys.endpoint)
        group.set("correct-horse", for: BroadcastKeys.streamKey)
        let broadcast = try Extension(group, PixelSize(width: 180, height: 320))
        broadcast.flow.perform(.open(setup: [:]))
        let player = try RunningProgram(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", "rtmp://127.0.0.1:\(server.port)/live/correct-horse", "-map", "0:v",
                "-frames:v", "12", "-f", "framecrc", "-",
            ], environment: [:])
        try await Task.detached { [player = Sent(player)] in
            try player.value.line(with: "#dimensions 0: 180x320")
            for _ in 0..<12 { _ = try player.value.line("a picture") { $0.hasPrefix("0,") } }
        }.value
        broadcast.flow.perform(.close)
        #expect(broadcast.failed.list == [])
        let said = try Tool.run(
            ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0"]
                + [server.recording(of: "correct-horse")], errors: true)
        let codecs = String(decoding: said, as: UTF8.self)
        #expect(codecs.contains("h264") && codecs.contains("aac"))
    }

    /// A program that threads read one after the other.
    struct Sent: @unchecked Sendable {
        let value: RunningProgram
        init(_ value: RunningProgram) { self.value = value }
    }

    @Test("a server that refuses ends it in words") func refused() async throws {
        let server = try NginxServer()
        let group = try Group()
        group.set("rtmp://127.0.0.1:\(server.port)/locked", for: BroadcastKeys.endpoint)
        group.set("wrong", for: BroadcastKeys.streamKey)
        let broadcast = try Extension(group, PixelSize(width: 180, height: 320))
        broadcast.flow.perform(.open(setup: [:]))
        try await eventually("it has ended in words") {
            broadcast.failed.list.first?.text == .extServerRefused
        }
        #expect(!broadcast.flow.takesPicture())
    }
}
