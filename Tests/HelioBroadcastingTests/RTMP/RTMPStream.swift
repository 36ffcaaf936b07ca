import Foundation
import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioGround
import HelioTestPrograms

/// Four seconds of H.264 and AAC encoded by FFmpeg, in timestamp order.
struct RTMPStream: Sendable {
    let units: [TestUnit]
    let tracks: BroadcastTracks
    /// The digest of each picture, as decoded by FFmpeg from its own output.
    let pictureDigests: [String]
    /// The digest of each access unit of sound.
    let soundDigests: [String]

    static let shared = Result { try RTMPStream() }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (video, adts) = (folder.appendingPathComponent("v.h264"), folder.appendingPathComponent("a.aac"))
        let ffmpeg = ["ffmpeg", "-hide_banner", "-nostdin", "-v", "error"]
        try Tool.run(
            ffmpeg + [
                "-f", "lavfi", "-i", "testsrc2=size=320x240:rate=30:duration=4", "-pix_fmt", "yuv420p", "-c:v",
                "libx264", "-bf", "0", "-g", "30", "-x264-params", "aud=1", video.path,
            ])
        try Tool.run(
            ffmpeg + [
                "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=4", "-ac", "2", "-c:a", "aac",
                "-b:a", "128k", adts.path,
            ])
        let stream = [UInt8](try Data(contentsOf: video))
        var pictures: [[UInt8]] = []
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            if H264NALType(header: stream[range.lowerBound]) == .accessUnitDelimiter { pictures.append([]) }
            pictures[pictures.count - 1] += AnnexB.startCode + stream[range]
        }
        let begin = MonotonicClock.now - .seconds(10)
        let sounds = Self.accessUnits([UInt8](try Data(contentsOf: adts))).enumerated().map { index, packet in
            TestUnit.sound(
                EncodedSound(
                    encode: .aac, payload: packet, mediaTime: Int64(index) * 1024, frames: 1024,
                    captured: begin + .nanoseconds(Int64(index) * 1024 * 1_000_000_000 / 48000)))
        }
        units = TestUnit.sort(
            pictures.enumerated().map { index, bytes in
                .picture(
                    BroadcastPicture(
                        annexB: bytes, captured: begin + .nanoseconds(Int64(index) * 1_000_000_000 / 30),
                        isKeyframe: AnnexB.containsKeyframe(bytes.span.bytes, codec: .h264)))
            }, sounds)
        tracks = BroadcastTracks(video: .h264, sound: .aac(AudioSpecificConfig(.standard)))
        pictureDigests = FrameDigests.parse(
            try Tool.run(ffmpeg + ["-i", video.path, "-f", "framemd5", "-"]))
        // Without the ADTS headers.
        soundDigests = FrameDigests.parse(
            try Tool.run(ffmpeg + ["-i", adts.path, "-c", "copy", "-bsf:a", "aac_adtstoasc", "-f", "framemd5", "-"]))
    }

    /// Returns the access units without their ADTS headers of 7 bytes.
    private static func accessUnits(_ adts: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var offset = 0
        while offset + 7 <= adts.count {
            let size = Int(adts[offset + 3] & 3) << 11 | Int(adts[offset + 4]) << 3 | Int(adts[offset + 5] >> 5)
            units.append(Array(adts[offset + 7..<offset + size]))
            offset += size
        }
        return units
    }
}
