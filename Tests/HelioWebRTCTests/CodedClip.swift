import Foundation
import HelioTestPrograms
import HelioWebRTC

/// Pictures encoded by FFmpeg and x264: two seconds, with a keyframe every second.
struct CodedClip {
    struct Failure: Error {}

    let pictures: [EncodedFrame]

    static func make() throws -> CodedClip {
        let data = try Tool.run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=30:duration=2", "-c:v", "libx264",
            "-profile:v",
            "baseline", "-pix_fmt", "yuv420p", "-g", "30", "-bsf:v", "h264_metadata=aud=insert", "-f", "h264", "pipe:1",
        ])
        // An access unit delimiter begins each picture, and is removed.
        var pictures: [[[UInt8]]] = []
        for unit in units(of: Array(data)) {
            if unit[0] & 31 == 9 { pictures.append([]) } else { pictures[pictures.count - 1].append(unit) }
        }
        guard pictures.count == 60 else { throw Failure() }
        return CodedClip(
            pictures: pictures.enumerated().map { index, units in
                EncodedFrame(
                    annexB: units.flatMap { [0, 0, 0, 1] + $0 }, presentationTime: .milliseconds(index * 1000 / 30),
                    isKeyframe: units.contains { $0[0] & 31 == 5 })
            })
    }

    /// Splits a stream into NAL units without their start codes.
    static func units(of annexB: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        for place in annexB.indices.dropLast(3) where annexB[place...].starts(with: [0, 0, 1]) {
            starts.append(place + 3)
        }
        return starts.enumerated().map { index, start in
            var end = index + 1 < starts.count ? starts[index + 1] - 3 : annexB.count
            while end > start, annexB[end - 1] == 0 { end -= 1 }
            return Array(annexB[start..<end])
        }
    }
}
