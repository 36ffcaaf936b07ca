import Foundation
import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioGround
import HelioTestPrograms
import Testing

/// Four seconds of H.264 encoded by FFmpeg.
struct SRTStream: Sendable {
    let pictures: [BroadcastPicture]
    /// The digest of each picture, as decoded by FFmpeg from its own output.
    let digests: [String]

    static let shared = Result { try SRTStream() }

    /// The transport stream of these pictures, as a new connection sends it.
    func packets(_ range: Range<Int>? = nil) throws -> [UInt8] {
        var multiplexer = try SRTMultiplexer(BroadcastTracks(video: .h264))
        let chosen = pictures[range ?? pictures.indices]
        return try chosen.flatMap { picture in
            let unit = BroadcastUnit(
                kind: picture.isKeyframe ? .keyframe : .picture, bytes: picture.annexB,
                time: picture.captured - chosen[chosen.startIndex].captured)
            let packets = multiplexer.packets(of: unit)
            return try #require(packets)
        }
    }

    private init() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString).h264")
        defer { try? FileManager.default.removeItem(at: file) }
        try Tool.run([
            "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-f", "lavfi", "-i",
            "testsrc2=size=320x240:rate=30:duration=4", "-pix_fmt", "yuv420p", "-c:v", "libx264", "-bf", "0", "-g",
            "30",
            "-x264-params", "aud=1", file.path,
        ])
        let stream = [UInt8](try Data(contentsOf: file))
        var units: [[UInt8]] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            if H264NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter { units.append([]) }
            units[units.count - 1] += AnnexB.startCode + stream[range]
        }
        let begin = MonotonicClock.now - .seconds(10)
        pictures = units.enumerated().map { index, unit in
            BroadcastPicture(
                annexB: unit, captured: begin + .milliseconds(33) * index,
                isKeyframe: AnnexB.containsKeyframe(unit.span.bytes, codec: .h264))
        }
        let text = try Tool.run([
            "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-i", file.path, "-f", "framemd5", "-",
        ])
        digests = FrameDigests.parse(text)
    }
}
