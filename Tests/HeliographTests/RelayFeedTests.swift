import Dispatch
import Foundation
import HelioCore
import HelioExtension
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// A broadcast extension, the app that shares the relayed pictures, and a viewer, over real sockets.
@Suite("What a broadcast extension relays is shared", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct RelayFeedTests {
    private static let video = MediaAttributes(
        format: .avc, width: 640, height: 480, framesPerSecond: 50, bitrate: 4_000_000)
    private static let portrait = PixelSize(width: 720, height: 1280)
    private static let landscape = PixelSize(width: 1280, height: 720)

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

    @Test(
        "a viewer gets the pictures as they were coded; a second extension, of another size, goes on where the first ended"
    )
    func shares() async throws {
        try await withScreen { screen, socket in
            let first = try FakeExtension(socket, size: Self.portrait)
            // Nobody watches: another keyframe is requested when a viewer joins.
            try await eventually("pictures come unwatched") { screen.statistics.picturesUnwatched >= 3 }
            let viewer = try await RelayViewer(screen)
            try await viewer.waitForFrame("the first") { _ in true }
            let frame = try #require(viewer.frames.first)
            #expect(frame.isKeyframe && frame.annexB.count > 3000)
            try await eventually("the viewer knows the size", sees: viewer.summary) { viewer.size == Self.portrait }

            // A lost extension freezes the picture: the viewer's session continues.
            first.stop()
            first.relay.finish()
            let second = try FakeExtension(socket, size: Self.landscape)
            try await second.wait(for: .connected)
            let mark = Array("1280/".utf8)
            try await viewer.waitForFrame("a keyframe of the second extension") {
                $0.isKeyframe && $0.annexB.contains(mark)
            }
            try await viewer.waitForFrame("another of its pictures") { !$0.isKeyframe && $0.annexB.contains(mark) }
            try await eventually("the viewer knows the new size", sees: viewer.summary) {
                viewer.size == Self.landscape
            }
            #expect(viewer.isUnbroken)
            await viewer.sink.stop()
            second.stop()
            let statistics = screen.statistics
            #expect(statistics.extensions == 2 && statistics.drops.isEmpty)
            #expect(statistics.pictures > statistics.picturesUnwatched)
        }
    }

    @Test("a keyframe that a viewer needs is asked of the extension")
    func keyframes() async throws {
        try await withScreen { screen, socket in
            let source = try FakeExtension(socket, size: Self.portrait)
            let viewer = try await RelayViewer(screen)
            try await viewer.waitForFrame("any") { _ in true }
            let count = viewer.frames.count { $0.isKeyframe }
            // A second viewer needs a keyframe; both get it.
            let other = try await RelayViewer(screen)
            try await other.waitForFrame("the first") { $0.isKeyframe }
            try await eventually("the first viewer gets it too") { viewer.frames.count { $0.isKeyframe } > count }
            for viewer in [viewer, other] { await viewer.sink.stop() }
            source.stop()
        }
    }

    @Test(
        "the extension is told what its viewers take of bitrate and size, also when it is turned, and when they leave")
    func wishes() async throws {
        try await withScreen { screen, socket in
            let source = try FakeExtension(socket, size: Self.landscape)
            try await source.wait(for: .connected)
            var options = MirrorSink.Options()
            options.largest = PixelSize(width: 640, height: 640)
            options.bitrate = 1_500_000
            let viewer = try await RelayViewer(screen, options)
            let small = PixelSize(width: 640, height: 360)
            try await eventually("less is wanted", sees: "\(source.wishes); \(viewer.summary)") {
                source.wishes.last.map { $0.largest == small && $0.bitrate.map { $0 <= 1_500_000 } ?? false } ?? false
            }
            try source.change(to: small)
            try await viewer.waitForFrame("a small picture") { $0.annexB.contains(Array("640/".utf8)) }
            // After a rotation, the viewer's limit applies to upright pictures, and still holds.
            let upright = PixelSize(width: 360, height: 640)
            try source.change(to: upright)
            try await eventually("less is wanted upright", sees: "\(source.wishes)") {
                source.wishes.last?.largest == upright
            }
            // The limited viewer leaves; the next one accepts any size, so the extension may return to its own.
            await viewer.sink.stop()
            let other = try await RelayViewer(screen)
            try await eventually("all is wanted again", sees: "\(source.wishes)") {
                source.wishes.last.map { $0.largest == nil } ?? false
            }
            try source.change(to: Self.portrait)
            try await eventually("it is shown", sees: other.summary) { other.size == Self.portrait }
            await other.sink.stop()
            source.stop()
        }
    }

    @Test("sound of the apps and of the microphone is heard, and an app that stops ends its extension")
    func sound() async throws {
        var relay: FakeExtension?
        try await withScreen { screen, socket in
            let source = try FakeExtension(socket, size: Self.portrait)
            relay = source
            try await source.wait(for: .connected)
            var options = MirrorSink.Options()
            options.sound = .coded
            let viewer = try await RelayViewer(screen, options)
            try await viewer.waitForFrame("any") { _ in true }
            let begin = DispatchTime.now().uptimeNanoseconds
            var packets = 0
            try await eventually("both are heard", sees: viewer.summary) {
                for isMicrophone in [false, true] {
                    source.relay.write(
                        samples: [UInt8](repeating: 3, count: 1920), sampleRate: 48000, channels: 2,
                        isMicrophone: isMicrophone,
                        presentationTime: .nanoseconds(Int64(begin) + Int64(packets) * 10_000_000))
                }
                packets += 1
                try await Task.sleep(for: .milliseconds(10))
                return viewer.inputs == [.system, .microphone]
            }
            #expect(screen.statistics.sounds > 0 && screen.statistics.soundsRefused == 0)
            await viewer.sink.stop()
            source.stop()
        }
        let source = try #require(relay)
        try await source.wait(for: .stopped("the relay has ended"))
    }
}
