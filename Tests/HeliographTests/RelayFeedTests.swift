import Foundation
import HelioCore
import HelioExtension
import Heliograph
import Synchronization
import Testing

/// A broadcast extension, the app that shares what it relays, and a viewer, each by real sockets.
@Suite("What a broadcast extension relays is shared", .serialized, .timeLimit(.minutes(2)))
struct RelayFeedTests {
    /// An encoder in an extension: gives a picture whenever it is asked, a keyframe where one is needed.
    private final class FakeExtension: Sendable {
        private final class Asked: Sendable {
            let value = Mutex(false)
        }

        let relay: BroadcastRelay
        private let events: AsyncStream<BroadcastRelay.Event>
        private let asked: Asked

        init(_ path: String, size: PixelSize) throws {
            let (events, continuation) = AsyncStream.makeStream(of: BroadcastRelay.Event.self)
            self.events = events
            let asked = Asked()
            self.asked = asked
            relay = try BroadcastRelay(.init(socketPath: path, size: size)) { event in
                if event == .keyframeNeeded { asked.value.withLock { $0 = true } }
                continuation.yield(event)
            }
        }

        func picture(_ number: Int) -> EncodedFrame {
            let isKeyframe = asked.value.withLock { asked in
                defer { asked = false }
                return asked
            }
            var bytes: [UInt8] = []
            if isKeyframe {
                bytes += [0, 0, 0, 1, 0x67, 0x64, 0x00, 0x2A, 0xAC, 0, 0, 0, 1, 0x68, 0xEE, 0x3C, 0x80]
            }
            bytes += [0, 0, 0, 1, isKeyframe ? 0x65 : 0x41] + Array("\(number);".utf8)
            bytes += (0..<3000).map { UInt8(4 + ($0 * 7 + number) % 250) }
            return EncodedFrame(
                annexB: bytes, presentationTime: .seconds(1000) + .milliseconds(20 * number), isKeyframe: isKeyframe)
        }

        func wait(for wanted: BroadcastRelay.Event) async {
            for await event in events where event == wanted { return }
        }
    }

    private static let video = MediaAttributes(
        format: .avc, width: 640, height: 480, framesPerSecond: 50, bitrate: 4_000_000)

    private func withScreen(_ body: (RelayedScreen, String) async throws -> Void) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "helio-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: false)
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        let socket = home.path + "/relay/socket"
        let screen = try await RelayedScreen.start(options, socketPath: socket, video: Self.video)
        do {
            try await body(screen, socket)
        } catch {
            await screen.stop()
            throw error
        }
        await screen.stop()
    }

    private struct Ended: Error {}

    /// Hands over pictures, one every 20 ms, until the viewer's session tells what is waited for.
    private func play<Value: Sendable>(
        _ source: FakeExtension, from first: Int, to sink: MirrorSink,
        until choose: @escaping @Sendable (MirrorSink.Event) -> Value?
    ) async throws -> Value {
        let pictures = Task {
            var number = first
            while !Task.isCancelled {
                source.relay.write(source.picture(number))
                number += 1
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        defer { pictures.cancel() }
        for await event in sink.events {
            if let value = choose(event) { return value }
        }
        throw Ended()
    }

    @Test(
        "a viewer gets the pictures as they were coded; a second extension, of another size, goes on where the first ended"
    )
    func shares() async throws {
        try await withScreen { screen, socket in
            let first = try FakeExtension(socket, size: PixelSize(width: 720, height: 1280))
            await first.wait(for: .keyframeNeeded)
            // Nobody watches: it is asked for another keyframe when somebody does.
            first.relay.write(first.picture(0))
            let sink = try MirrorSink(link: try await screen.source.link.text)
            sink.start()
            let frame = try await play(first, from: 1, to: sink) { event in
                if case .received(.video, let frame) = event { frame } else { nil }
            }
            #expect(frame.isKeyframe && frame.annexB.count > 3000)
            #expect(Array(frame.annexB.prefix(8)) == [0, 0, 0, 1, 0x67, 0x64, 0x00, 0x2A])

            // An extension that is gone is a picture that stands still: the viewer's session goes on.
            first.relay.finish()
            let second = try FakeExtension(socket, size: PixelSize(width: 1280, height: 720))
            await second.wait(for: .connected)
            let size = try await play(second, from: 500, to: sink) { event in
                if case .changed(let video) = event { PixelSize(width: video.width, height: video.height) } else { nil }
            }
            #expect(size == PixelSize(width: 1280, height: 720))
            let next = try await play(second, from: 600, to: sink) { event in
                if case .received(.video, let frame) = event { frame } else { nil }
            }
            #expect(next.annexB.contains(UInt8(ascii: ";")))
            await sink.stop()
            let statistics = screen.statistics
            #expect(statistics.extensions == 2 && statistics.drops.isEmpty)
            #expect(statistics.picturesUnwatched >= 1 && statistics.pictures > statistics.picturesUnwatched)
        }
    }

    @Test("sound of the apps and of the microphone are taken, and an app that stops ends its extension")
    func sound() async throws {
        var relay: FakeExtension?
        try await withScreen { screen, socket in
            let source = try FakeExtension(socket, size: PixelSize(width: 720, height: 1280))
            relay = source
            await source.wait(for: .connected)
            let sink = try MirrorSink(link: try await screen.source.link.text)
            sink.start()
            for isMicrophone in [false, true] {
                source.relay.write(
                    samples: [UInt8](repeating: 0, count: 1920), sampleRate: 48000, channels: 2,
                    isMicrophone: isMicrophone, presentationTime: .seconds(1000))
            }
            _ = try await play(source, from: 0, to: sink) { event in
                if case .received = event { true } else { nil }
            }
            #expect(screen.statistics.sounds == 2 && screen.statistics.soundsRefused == 0)
            await sink.stop()
        }
        let source = try #require(relay)
        await source.wait(for: .stopped("the relay has ended"))
    }
}
