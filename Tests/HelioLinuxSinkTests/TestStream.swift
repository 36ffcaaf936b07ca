import Foundation
import HelioBitstream
import HelioCore
import HelioTestPrograms
import Testing

/// Coded streams made by the `ffmpeg` tool.
enum TestStream {
    /// Runs a tool; returns its standard output.
    @discardableResult
    static func run(_ tool: String, _ arguments: [String]) throws -> Data {
        try Tool.run([tool] + arguments)
    }

    /// Returns access units of pictures made by an ffmpeg source filter.
    static func generate(
        _ source: String, codec: VideoCodec = .h264, frames: Int, pixels: String = "yuv420p",
        parameters: String = "slice-max-size=1200", extra: [String] = []
    ) throws -> [ReceivedFrame] {
        try encode(["-f", "lavfi", "-i", source], codec, frames, pixels, parameters, extra)
    }

    /// Returns access units of raw planar pictures.
    static func encode(
        raw: [UInt8], size: PixelSize, codec: VideoCodec = .h264, pixels: String = "yuv420p",
        parameters: String = "", extra: [String] = []
    ) throws -> [ReceivedFrame] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yuv")
        try Data(raw).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let input = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", "\(size)", "-i", file.path]
        return try encode(input, codec, 10_000, pixels, parameters, extra)
    }

    private static func encode(
        _ input: [String], _ codec: VideoCodec, _ frames: Int, _ pixels: String, _ parameters: String,
        _ extra: [String]
    ) throws -> [ReceivedFrame] {
        let library: [String] =
            codec == .h264
            ? ["-c:v", "libx264", "-x264-params", "keyint=1000:aud=1:threads=1:" + parameters]
            : ["-c:v", "libx265", "-x265-params", "log-level=none:bframes=0:keyint=1000:aud=1:pools=1:" + parameters]
        let data = try run(
            "ffmpeg",
            ["-v", "error"] + input + ["-frames:v", "\(frames)", "-pix_fmt", pixels] + library
                + ["-preset", "ultrafast", "-tune", "zerolatency"] + extra
                + ["-f", codec == .h264 ? "h264" : "hevc", "-"])
        return split([UInt8](data), codec)
    }

    /// Splits a stream at its access unit delimiters, and removes them.
    private static func split(_ stream: [UInt8], _ codec: VideoCodec) -> [ReceivedFrame] {
        var units: [(bytes: [UInt8], isKeyframe: Bool)] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            let type = codec == .h264 ? stream[range.lowerBound] & 0x1F : stream[range.lowerBound] >> 1 & 0x3F
            if type == (codec == .h264 ? 9 : 35) {
                units.append(([], false))
                continue
            }
            if units.isEmpty { units.append(([], false)) }
            units[units.count - 1].bytes += [0, 0, 0, 1] + stream[range]
            if codec == .h264 ? type == 5 : (16...21).contains(type) { units[units.count - 1].isKeyframe = true }
        }
        return units.filter { !$0.bytes.isEmpty }.enumerated().map { index, unit in
            frame(unit.bytes, index: index, isKeyframe: unit.isKeyframe)
        }
    }

    static func frame(_ bytes: [UInt8], index: Int = 0, isKeyframe: Bool) -> ReceivedFrame {
        ReceivedFrame(
            annexB: bytes, mediaTime: Int64(index) * 1500, frameIndex: UInt64(index), isKeyframe: isKeyframe,
            firstArrival: .zero, completed: .zero)
    }

    /// The NAL units of an access unit, each with its start code.
    static func parts(of frame: ReceivedFrame) -> [[UInt8]] {
        AnnexB.nalUnits(in: frame.annexB.span.bytes).map { [0, 0, 0, 1] + frame.annexB[$0] }
    }
}
