import Foundation
import HelioBitstream
import HelioCore
import HelioMPEGTS
import HelioSRTLink
import HelioTestPrograms

/// Four seconds of H.264 that FFmpeg has coded, in groups of a transport stream.
struct TestStream: Sendable {
    let groups: [SRTMessageGroup]
    /// The digest of each picture, as FFmpeg decodes it right away.
    let digests: [String]

    static let shared = Result { try TestStream() }

    var bytes: [UInt8] { groups.flatMap(\.bytes) }

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
        var writer = try TransportStreamWriter(video: .h264)
        groups = try units.enumerated().map { index, unit in
            var bytes: [UInt8] = []
            let isKeyframe = try writer.write(video: unit, at: Int64(index) * 3000, into: &bytes)
            return SRTMessageGroup(bytes: bytes, kind: isKeyframe ? .keyframe : .picture)
        }
        let text = try Tool.run([
            "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-i", file.path, "-f", "framemd5", "-",
        ])
        digests = Self.digests([UInt8](text))
    }

    static func digests(_ text: [UInt8]) -> [String] {
        String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { String($0.drop { $0 == " " }) } }
    }
}
