import Foundation
import HelioBitstream
import HelioCore
import HelioReceivers
import HelioTestPrograms
import Testing

@testable import HelioMPEGTS

/// FFmpeg reads its own coded pictures and sound unchanged from Heliograph's transport stream, without warnings.
struct FFmpegTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func ffmpeg(_ arguments: [String], errors: Bool = false) throws -> Data {
        try Tool.run(["ffmpeg", "-hide_banner", "-nostdin", "-v", "warning"] + arguments, errors: errors)
    }

    private func code(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        _ = try ffmpeg(arguments + ["-y", path(name)])
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
    }

    private func codeVideo(_ name: String, _ codec: [String]) throws -> [UInt8] {
        try code(
            name,
            ["-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=4", "-pix_fmt", "yuv420p", "-g", "30"] + codec
        )
    }

    private func codeSound(_ name: String, _ codec: [String]) throws -> [UInt8] {
        try code(
            name, ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4", "-ac", "2"] + codec)
    }

    /// Splits a stream before each access unit delimiter.
    private func accessUnits(_ stream: [UInt8], _ codec: VideoCodec) -> [[UInt8]] {
        var units: [[UInt8]] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            let isDelimiter =
                codec == .h264
                ? H264NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter
                : H265NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter
            if isDelimiter { units.append([]) }
            units[units.count - 1] += AnnexB.startCode + stream[range]
        }
        return units
    }

    /// Multiplexes pictures at 30 a second and sound in timestamp order.
    private func mux(
        _ pictures: [[UInt8]], _ writer: inout TransportStreamWriter, sound: [[UInt8]], samples: Int64
    ) throws -> [UInt8] {
        var stream: [UInt8] = []
        var (picture, packet) = (0, 0)
        // The start lets the 33-bit timestamps wrap within the first second.
        let start: Int64 = (1 << 33) - 45000
        while picture < pictures.count || packet < sound.count {
            let soundTime = Int64(packet) * samples * 90000 / 48000
            if picture < pictures.count, packet == sound.count || Int64(picture) * 3000 <= soundTime {
                try writer.write(video: pictures[picture], at: start + Int64(picture) * 3000, into: &stream)
                picture += 1
            } else {
                try writer.write(sound: sound[packet], at: start + soundTime, into: &stream)
                packet += 1
            }
        }
        return stream
    }

    /// The sixth field of each line: a frame's digest. Side data may follow.
    private func digests(_ name: String, _ stream: String, copy: Bool = false) throws -> [Substring] {
        let codec = copy ? ["-c", "copy"] : []
        let text = try ffmpeg(
            ["-i", path(name), "-map", stream] + codec + ["-fps_mode", "passthrough", "-f", "framemd5", "-"])
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { line in
                let fields = line.split(separator: ",")
                return fields.count > 5 ? fields[5].drop { $0 == " " } : ""
            }
    }

    private func check(_ stream: [UInt8], video: String, codecs: [String]) throws {
        try Data(stream).write(to: folder.appendingPathComponent("ours.ts"))
        let complaints = try ffmpeg(["-i", path("ours.ts"), "-map", "0", "-f", "null", "-"], errors: true)
        #expect(String(decoding: complaints, as: UTF8.self) == "")
        let names = try Tool.run(
            ["ffprobe", "-v", "warning", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path("ours.ts")],
            errors: true)
        // Each stream is listed once for the program, and once for the file.
        let found = String(decoding: names, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(Set(found) == Set(codecs))
        let frames = try digests("ours.ts", "0:v")
        #expect(frames.count == 120)
        #expect(try frames == digests(video, "0:v"))
    }

    @Test func h264AndAAC() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let video = try codeVideo("video.h264", ["-c:v", "libx264", "-bf", "0", "-x264-params", "aud=1"])
        let adts = try codeSound("sound.aac", ["-c:a", "aac", "-b:a", "128k"])
        var units: [[UInt8]] = []
        var offset = 0
        var config: AudioSpecificConfig?
        while let header = ADTSHeader(adts.span.bytes, at: offset) {
            config = header.config
            let start = offset + header.headerSize
            offset = start + header.unitSize
            units.append(Array(adts[start..<offset]))
        }
        #expect(offset == adts.count)
        var writer = try TransportStreamWriter(video: .h264, sound: .aac(try #require(config)))
        let stream = try mux(accessUnits(video, .h264), &writer, sound: units, samples: 1024)
        try check(stream, video: "video.h264", codecs: ["h264", "aac"])
        let frames = try digests("ours.ts", "0:a")
        #expect(frames.count == units.count)
        #expect(try frames == digests("sound.aac", "0:a"))
    }

    @Test func h265AndOpus() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let video = try codeVideo(
            "video.h265", ["-c:v", "libx265", "-x265-params", "aud=1:bframes=0:log-level=error"])
        let ogg = try codeSound("sound.ogg", ["-c:a", "libopus", "-b:a", "128k"])
        let packets = Array(OggPackets.parse(ogg).dropFirst(2))
        var writer = try TransportStreamWriter(video: .h265, sound: .opus(channels: 2))
        let stream = try mux(accessUnits(video, .h265), &writer, sound: packets, samples: 960)
        try check(stream, video: "video.h265", codecs: ["hevc", "opus"])
        #expect(try digests("ours.ts", "0:a", copy: true) == digests("sound.ogg", "0:a", copy: true))
        // Ogg marks 312 samples of pre-skip; a transport stream can't.
        let heard = try ffmpeg(["-i", path("ours.ts"), "-map", "0:a", "-f", "s16le", "-"])
        let direct = try ffmpeg(["-i", path("sound.ogg"), "-f", "s16le", "-"])
        #expect(direct.count == 4 * 48000 * 4)
        #expect(heard.dropFirst(312 * 4).prefix(direct.count) == direct)
    }

    /// Reads streams written by FFmpeg itself, with several access units of sound in a PES packet, and B pictures:
    /// everything is there, without faults.
    @Test(arguments: [("libx264", "aac", "1024"), ("libx265", "libopus", "960")])
    func itsOwnStreams(video: String, sound: String, samples: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let stream = try code(
            "theirs.ts",
            [
                "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=4", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000:duration=4", "-pix_fmt", "yuv420p", "-c:v", video,
                "-x265-params", "log-level=error", "-c:a", sound, "-f", "mpegts",
            ])
        let (outputs, faults) = TransportStreamTests.read(stream, piece: 1316)
        #expect(faults.isEmpty)
        let pictures = outputs.compactMap { if case .picture(let picture) = $0 { picture } else { nil } }
        let packets = outputs.compactMap { if case .sound(let sound) = $0 { sound } else { nil } }
        #expect(pictures.count == 120)
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $1.decode - $0.decode == 3000 })
        #expect(pictures.contains { $0.presentation != $0.decode })
        #expect(try packets.count == digests("theirs.ts", "0:a", copy: true).count)
        let length = try #require(Int64(samples)) * 90000 / 48000
        #expect(zip(packets, packets.dropFirst()).allSatisfy { abs($1.presentation - $0.presentation - length) <= 1 })
    }
}
