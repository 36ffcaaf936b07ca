import Foundation
import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioGround
import HelioProtection
import HelioTestLanes
import HelioTestPrograms
import NIOPosix
import Testing

@testable import HelioBroadcasting

private let newFFmpeg = ProcessInfo.processInfo.environment["HELIO_FFMPEG"]

/// H.265 and Opus by enhanced RTMP. It needs FFmpeg 8.0 or later, which Debian doesn't have yet; `HELIO_FFMPEG` names
/// one.
@Suite(.enabled(if: newFFmpeg != nil, "HELIO_FFMPEG names no FFmpeg from 8.0 on"), .tags(.quiet))
struct EnhancedTests {
    private static func run(_ arguments: [String]) throws -> Data {
        try Tool.run([try #require(newFFmpeg), "-hide_banner", "-nostdin", "-v", "error"] + arguments)
    }

    @Test func h265AndOpus() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (video, ogg) = (folder.appendingPathComponent("v.h265"), folder.appendingPathComponent("a.ogg"))
        try Tool.run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=4", "-pix_fmt",
            "yuv420p", "-g", "30", "-c:v", "libx265", "-x265-params", "aud=1:bframes=0:log-level=error", video.path,
        ])
        try Tool.run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4", "-ac",
            "2", "-c:a", "libopus", ogg.path,
        ])
        let stream = [UInt8](try Data(contentsOf: video))
        var pictures: [[UInt8]] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            if H265NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter { pictures.append([]) }
            pictures[pictures.count - 1] += AnnexB.startCode + stream[range]
        }
        let begin = MonotonicClock.now - .seconds(10)
        let sounds = Array(OggPackets.parse([UInt8](try Data(contentsOf: ogg))).dropFirst(2))
        let units = TestUnit.sort(
            pictures.enumerated().map { index, bytes in
                .picture(
                    BroadcastPicture(
                        annexB: bytes, captured: begin + .nanoseconds(Int64(index) * 1_000_000_000 / 30),
                        isKeyframe: AnnexB.containsKeyframe(bytes.span.bytes, codec: .h265)))
            },
            sounds.enumerated().map { index, packet in
                .sound(
                    EncodedSound(
                        encode: .thinOpus, payload: packet, mediaTime: Int64(index) * 960, frames: 960,
                        captured: begin + .milliseconds(index * 20)))
            })

        let port = try #require(LoopbackPort.find())
        let received = folder.appendingPathComponent("received.mkv")
        let listener = try RunningProgram(
            try #require(newFFmpeg),
            [
                "-hide_banner", "-nostdin", "-v", "error", "-listen", "1", "-i", "rtmp://127.0.0.1:\(port)/live/key",
                "-map", "0", "-c", "copy", received.path,
            ], environment: [:])
        let events = SenderEvents()
        var options = RTMPOptions()
        (options.broadcast.queueAge, options.broadcast.endTimeout) = (.seconds(30), .seconds(20))
        let sender = try RTMPSender(
            to: RTMPAddress(
                parsing: "rtmp://127.0.0.1:\(port)/live", key: StreamSecret(key: SecretBytes(Array("key".utf8)))),
            BroadcastTracks(video: .h265, sound: .opus(channels: 2)), options: options,
            on: MultiThreadedEventLoopGroup.singleton.next()
        ) { events.add($0) }
        try await events.connected()
        for unit in units { unit.send(by: sender) }
        await sender.close()
        _ = listener.waitUntilExit()

        let passthrough = ["-fps_mode", "passthrough", "-f", "framemd5", "-"]
        let digests = FrameDigests.parse(try Self.run(["-i", received.path, "-map", "0:v"] + passthrough))
        #expect(digests.count == 120)
        #expect(try digests == FrameDigests.parse(Self.run(["-i", video.path] + passthrough)))
        let packets = FrameDigests.parse(
            try Self.run(["-i", received.path, "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]))
        #expect(packets.count == sounds.count)
        #expect(
            try packets == FrameDigests.parse(Self.run(["-i", ogg.path, "-c", "copy", "-f", "framemd5", "-"])))
    }
}
