import Foundation
import HelioCore
import HelioLoop
import Testing

@testable import HelioViewing
@testable import Heliograph

/// The whole library on machines in memory: only the sockets are real.
@Suite("A platform in memory", .serialized, .timeLimit(.minutes(1)))
struct PlatformTests {
    /// A source on loopback with a home of its own.
    private func withSource(_ platform: FakeSource, _ body: (MirrorSource) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        let source = try await MirrorSource.start(options, on: platform)
        do {
            try await body(source)
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }

    /// A viewer on a thread of its own, as a program's main one would be; ends when its window is closed.
    private func withViewer(
        _ platform: FakeSink, of source: MirrorSource, _ body: () async throws -> Void
    ) async throws {
        let target = try ViewTarget(parsing: try await source.link.text, code: nil)
        let thread = WorkerThread(name: "viewer") {
            do throws(HelioError) {
                let diary = platform.person.diary
                try ViewerLoop(on: platform, target, .init(), nil, { diary.write("note \($0)") }).run()
                diary.write("closed")
            } catch {
                platform.person.diary.write("failed: \(error)")
            }
        }
        do {
            try await body()
        } catch {
            platform.person.act(.closeRequested)
            await thread.join()
            throw error
        }
        platform.person.act(.closeRequested)
        await thread.join()
    }

    @Test("pictures, pointer and monitors go one way, input the other, and control is taken back")
    func both() async throws {
        let (host, viewer) = (FakeSource(), FakeSink())
        var (injected, seen) = (host.diary.reader, viewer.person.diary.reader)
        try await withSource(host) { source in
            #expect(source.encoder == "fake encoder" && source.notes == ["a screen in memory"])
            #expect(source.size == PixelSize(width: 640, height: 480))
            #expect(source.monitors.map(\.id) == ["large", "small"])
            try await withViewer(viewer, of: source) {
                try await seen.find("picture 10 640x480")
                try await seen.find("controls true")
                try await seen.find("cursor 2x2")
                host.content.show(20)
                try await seen.find("picture 20 640x480")

                viewer.person.act(.input(.pointerMoved(x: 0.5, y: 0.5)))
                viewer.person.act(.input(.button(.left, isDown: true)))
                viewer.person.act(.input(.button(.left, isDown: false)))
                viewer.person.act(.input(.key(usage: 4, modifiers: 0, isDown: true)))
                viewer.person.act(.input(.key(usage: 4, modifiers: 0, isDown: false)))
                viewer.person.act(.input(.text("ä")))
                try await injected.find("pointer 320 240")
                for entry in ["left true", "left false", "key 4 true", "key 4 false", "text ä"] {
                    try await injected.find(entry)
                }

                viewer.person.act(.command(.nextMonitor))
                try await seen.find("picture 20 320x240")
                try await injected.find("follow small")
                viewer.person.act(.input(.pointerMoved(x: 0.5, y: 0.25)))
                try await injected.find("pointer 160 60")

                viewer.person.act(.input(.key(usage: 5, modifiers: 0, isDown: true)))
                try await injected.find("key 5 true")
                source.takeControl()
                try await injected.find("key 5 false")
                try await seen.find("controls false")
                viewer.person.act(.command(.toggleStatistics))
                try await seen.find("statistics")
            }
            try await seen.find("closed")
            var joined = false
            for await event in source.events {
                if case .viewerJoined = event { joined = true }
                if case .viewerLeft = event { break }
            }
            #expect(joined)
        }
    }

    @Test("coded pictures for an app's own transport come out as they went in")
    func stream() async throws {
        let host = FakeSource()
        var options = ScreenStream.Options()
        options.subject = .testPicture(width: 640, height: 480)
        let stream = try ScreenStream.start(options, on: host)
        let (images, put) = AsyncStream.makeStream(of: DecodedImage.self)
        let decoder = PictureDecoder(on: FakeSink(), .avc, needKeyframe: {}, onPicture: { put.yield($0) })
        let frames = stream.frames.makeAsyncIterator()
        var shown = images.makeAsyncIterator()
        for number: UInt8 in [10, 30, 200] {
            if number != 10 { host.content.show(number) }
            decoder.put(try #require(try await frames.next()))
            let image = try #require(await shown.next())
            #expect(image.meanLuma == Double(number) && image.width == 640 && image.height == 480)
        }
        decoder.close()
        await stream.stop()
        #expect(decoder.summary == "fake decoder" && decoder.drops.isEmpty)
    }

    @Test("a window shows the newest of a decoder's pictures, and closes with it")
    func window() async throws {
        let platform = FakeSink()
        var seen = platform.person.diary.reader
        let decoder = PictureDecoder(on: platform, .avc, needKeyframe: {}, onPicture: nil)
        let thread = WorkerThread(name: "window") {
            do throws(HelioError) {
                try PictureWindow(decoder, title: "pictures").run()
                platform.person.diary.write("closed")
            } catch {
                platform.person.diary.write("failed: \(error)")
            }
        }
        try await seen.find("title pictures")
        decoder.put(EncodedFrame(annexB: [0, 0, 0, 1, 0x65, 7, 4, 4], presentationTime: .zero, isKeyframe: true))
        try await seen.find("picture 7 64x64")
        decoder.close()
        try await seen.find("closed")
        await thread.join()
    }

    @Test("what a platform can't do is an error in its words")
    func refusals() async throws {
        var options = MirrorSource.Options()
        options.display = ":9"
        options.home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: options.home ?? "") }
        let refused = await #expect(throws: HelioError.self) { try await MirrorSource.start(options, on: FakeSource()) }
        #expect(refused?.code == .captureFailed)
        let target = try ViewTarget(parsing: "rtsp://127.0.0.1/live", code: nil)
        var viewer = Viewer.Options()
        viewer.decoder = .named("best")
        let error = #expect(throws: HelioError.self) { try ViewerLoop(on: FakeSink(), target, viewer, nil, nil) }
        #expect(error?.code == .unsupported)
    }
}
