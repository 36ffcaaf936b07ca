import Foundation
import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioTestPrograms

/// Four seconds of H.264 and Opus encoded by FFmpeg.
struct WHIPStream: Sendable {
    /// The coded pictures, one for each thirtieth of a second.
    let pictures: [[UInt8]]
    /// The digest of each picture, as decoded by FFmpeg from its own output.
    let digests: [String]
    /// The range of the pictures' mean luma.
    let luma: ClosedRange<Double>
    /// Opus packets of 20 ms each.
    let sounds: [[UInt8]]
    /// The digest of each packet.
    let soundDigests: [String]

    static let shared = Result { try WHIPStream(size, ["-crf", "28"]) }
    static let size = PixelSize(width: 320, height: 240)
    /// The defaults of a broadcast: 720p, 3 Mbit/s.
    static let large = Result {
        try WHIPStream(
            PixelSize(width: 1280, height: 720),
            ["-preset", "veryfast", "-b:v", "3M", "-minrate", "3M", "-maxrate", "3M", "-bufsize", "1500k"])
    }

    private static let quiet = ["ffmpeg", "-hide_banner", "-nostdin", "-v", "error"]

    private init(_ size: PixelSize, _ rate: [String]) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (video, sound) = (folder.path + "/video.h264", folder.path + "/sound.ogg")
        try Tool.run(
            Self.quiet + [
                "-f", "lavfi", "-i", "testsrc2=size=\(size.width)x\(size.height):rate=30:duration=4",
                "-pix_fmt", "yuv420p", "-c:v", "libx264", "-profile:v", "baseline", "-bf", "0", "-g", "30",
                "-sc_threshold", "0", "-x264-params", "aud=1",
            ] + rate + [video])
        let stream = [UInt8](try Data(contentsOf: URL(fileURLWithPath: video)))
        var units: [[UInt8]] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            if H264NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter { units.append([]) }
            units[units.count - 1] += AnnexB.startCode + stream[range]
        }
        pictures = units
        digests = FrameDigests.parse(
            String(decoding: try Tool.run(Self.quiet + ["-i", video, "-f", "framemd5", "-"]), as: UTF8.self))
        // Scaled to a quarter in each direction: the mean is the same.
        let pixels = size.width * size.height / 16
        let raw = [UInt8](
            try Tool.run(
                Self.quiet + [
                    "-i", video, "-vf", "scale=\(size.width / 4):\(size.height / 4):flags=area", "-f", "rawvideo", "-",
                ]))
        let means = stride(from: 0, to: raw.count, by: pixels * 3 / 2).map { start in
            Double(raw[start..<start + pixels].reduce(0) { $0 + Int($1) }) / Double(pixels)
        }
        luma = (means.min() ?? 0)...(means.max() ?? 0)

        try Tool.run(
            Self.quiet + [
                "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4", "-ac", "2", "-c:a", "libopus",
                "-b:a", "64k", "-frame_duration", "20", sound,
            ])
        sounds = Array(OggPackets.parse([UInt8](try Data(contentsOf: URL(fileURLWithPath: sound)))).dropFirst(2))
        soundDigests = FrameDigests.parse(
            String(
                decoding: try Tool.run(Self.quiet + ["-i", sound, "-c", "copy", "-f", "framemd5", "-"]), as: UTF8.self))
    }
}
