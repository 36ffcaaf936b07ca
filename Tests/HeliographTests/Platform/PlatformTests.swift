import Foundation
import HelioCore
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioViewing
@testable import Heliograph

/// The whole library on simulated machines: only the sockets are real.
@Suite("A platform in memory", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct PlatformTests {
    /// Runs a viewer on a thread of its own, like a program's main thread, until its window is closed.
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
        try await host.share { source in
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

    @Test("what one machine plays is heard at the other, at its pitch and in time, until it is turned off")
    func sound() async throws {
        let (played, heard) = (FakeSound(), FakeSound())
        let (host, viewer) = (FakeSource(sound: played), FakeSink(sound: heard))
        var seen = viewer.person.diary.reader
        try await host.share { source in
            #expect(played.history.isEmpty)
            try await withViewer(viewer, of: source) {
                try await seen.find("picture 10 640x480")
                try await eventually("the host is heard") { played.openCapture != nil }
                let start = MonotonicClock.now
                var (sound, time) = ([Float](), 0)
                // Three seconds of both devices' clocks.
                while time < 144_000 {
                    let due = start + .nanoseconds(Int64(time + 240) * 1_000_000 / 48)
                    while MonotonicClock.now < due { try await Task.sleep(for: .milliseconds(1)) }
                    played.openCapture?.hear(Tone.sine(440, from: time, count: 240), at: due - .milliseconds(5))
                    time += 240
                    if let output = heard.openOutput { sound += output.play(240, heard: due + output.latency) }
                }
                let tone = try #require(Tone.measure(Array(sound.suffix(48_000))))
                #expect(abs(tone.frequency - 440) < 0.25 && abs(tone.amplitude - 0.5) < 0.02, "\(tone)")
                #expect(sound.count > 2 * 120_000, "it is open soon: \(sound.count)")
                let statistics = try await source.statistics()
                let captured = try #require(statistics.sound.first)
                #expect(captured.input == .system && captured.device == "Fake device", "\(captured)")
                #expect(captured.encodes.reduce(0) { $0 + $1.packets } >= 500, "\(captured)")
                let encode = try #require(statistics.viewers.first?.sound["system"])
                #expect(encode.hasPrefix("pcm") || encode.hasPrefix("opus"), "\(encode)")

                viewer.person.act(.command(.toggleSound))
                try await seen.find("message Sound off: the host sends none.")
                try await eventually("nothing is captured") { played.openCapture == nil }
                let packets = try await source.statistics().viewers.first?.soundPackets
                viewer.person.act(.command(.toggleStatistics))
                try await seen.find("statistics")
                #expect(try await source.statistics().viewers.first?.soundPackets == packets)
                viewer.person.act(.command(.quieter))
                try await seen.find("message Sound at 90 %.")
                viewer.person.act(.command(.louder))
                try await seen.find("message Sound at 100 %.")
                try await eventually("it is captured again") { played.openCapture != nil }
            }
            try await eventually("nobody listens any more") { played.openCapture == nil }
            #expect(played.history == ["capture system", "capture system"])
        }
    }

    @Test("an app takes sound as it is coded, or as samples; it pauses and resumes it")
    func appsSound() async throws {
        let played = FakeSound()
        try await FakeSource(sound: played).share { source in
            var options = MirrorSink.Options()
            options.sound = .coded
            let sink = try MirrorSink(link: try await source.link.text, options: options)
            sink.start()
            let events = sink.events.makeAsyncIterator()
            try await eventually("the host is heard") { played.openCapture != nil }
            let start = MonotonicClock.now
            for index in 0..<20 {
                played.openCapture?.hear(
                    Tone.sine(440, from: index * 480, count: 480), at: start + .milliseconds(10) * index)
            }
            var packets: [EncodedSoundPacket] = []
            while packets.count < 20, let event = await events.next() {
                if case .receivedSound(let packet, of: .system) = event { packets.append(packet) }
            }
            #expect(packets.allSatisfy { $0.format != .aac && $0.duration == .milliseconds(5) })
            #expect(packets.map(\.presentationTime) == (0..<20).map { .milliseconds(5) * $0 })
            sink.pause(.audio)
            try await eventually("nothing is captured") { played.openCapture == nil }
            sink.resume(.audio)
            try await eventually("it is captured again") { played.openCapture != nil }
            await sink.stop()
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

    @Test("a machine that takes no input is shared to be watched, and says so")
    func noInput() async throws {
        let (host, viewer) = (FakeSource(takesInput: false), FakeSink())
        var seen = viewer.person.diary.reader
        try await host.share { source in
            #expect(
                source.notes == ["a screen in memory", "viewers can only watch. The fake display takes no input"])
            try await withViewer(viewer, of: source) {
                try await seen.find("picture 10 640x480")
                host.content.show(20)
                try await seen.find("picture 20 640x480")
            }
        }
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
