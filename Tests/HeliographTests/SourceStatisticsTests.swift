import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// A source's statistics of its viewers and players.
@Suite("Statistics of a source", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SourceStatisticsTests {
    @Test("an app reads who watches, what they were sent, and rates since the last time")
    func app() async throws {
        let sdk = SDKTests()
        try await sdk.withSource { source in
            #expect(try await source.statistics().viewers.isEmpty)
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            _ = try await sdk.wait(sink) { if case .played = $0 { true } else { nil } }
            for await event in source.events {
                if case .viewerJoined = event { break }
            }
            let before = try await source.statistics()
            for index in 0..<3 {
                #expect(try source.write(SDKTests.frame(index, isKeyframe: index == 0)))
                _ = try await sdk.wait(sink) { if case .received = $0 { true } else { nil } }
            }
            let after = try await source.statistics(since: before)
            let viewer = try #require(after.viewers.first)
            #expect(viewer.address == "127.0.0.1" && !viewer.allowsControl && !viewer.isPaused)
            #expect(viewer.frames == 3)
            #expect(viewer.bytes > 15_000 && viewer.packets >= 13)
            let sent = Double(viewer.bytes - (before.viewers.first?.bytes ?? 0)) * 8 / 1e6
            #expect(abs(viewer.megabitsPerSecond * (after.time - before.time) - sent) < 0.001)
            #expect(after.width == 640 && after.codec == "h264" && after.players == nil)
            await sink.stop()
            let link = try await source.link.text
            let stranger = try MirrorSink(link: String(link.dropLast(4)) + "AAAA")
            stranger.start()
            _ = try await sdk.wait(stranger) { if case .ended = $0 { true } else { nil } }
            #expect(try await source.statistics().drops["refused-wrong-proof"] == 1)
        }
    }

    @Test("`share --stats` tells of viewers and players, and of those that were refused")
    func command() throws {
        let played = try PlayedDesktop(
            PixelSize(width: 640, height: 480), hasPassword: true, share: SharedDesktop.statistics)
        try played.shared.share.line(with: "\"players\":{\"addresses\":[]")
        let stranger = try played.start("ffmpeg", ["-v", "quiet", "-i", played.url, "-f", "null", "-"])
        #expect(stranger.waitUntilExit() != 0)
        let wrong = played.urlWithPassword.replacing(PlayedDesktop.password, with: "wrong")
        let guesser = try played.start("ffmpeg", ["-v", "quiet", "-i", wrong, "-f", "null", "-"])
        #expect(guesser.waitUntilExit() != 0)
        try played.shared.share.line(with: "\"refused-wrong-credentials\":1")
        let player = try played.start("ffmpeg", ["-v", "quiet", "-i", played.urlWithPassword, "-f", "null", "-"])
        try played.shared.share.line(with: "\"players\":{\"addresses\":[\"127.0.0.1\"]")
        try played.shared.watch()
        let line = try played.shared.share.line(with: "\"viewers\":[{\"address\":\"127.0.0.1\"")
        #expect(line.contains("\"allowsControl\":true") && line.contains("\"megabitsPerSecond\":"))
        try played.shared.share.line(with: "\"roundTrip\":")
        player.kill()
        try played.shared.share.line(with: "\"players\":{\"addresses\":[]")
    }
}
