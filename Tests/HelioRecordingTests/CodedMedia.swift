import Foundation
import HelioBitstream
import HelioCore
import HelioTestPrograms

/// Pictures and sound encoded by FFmpeg, and FFmpeg's analysis of recorded files.
enum CodedMedia {
    /// Moving pictures at 30 a second, without B frames.
    ///
    /// - Parameter keyframes: the keyframe interval in pictures.
    static func pictures(
        _ codec: VideoCodec, size: String = "320x240", count: Int, keyframes: Int = 10_000, in folder: TestFolder
    ) throws -> (units: [Unit], hashes: [String]) {
        let file = folder.file("pictures-\(size)-\(count).\(codec == .h264 ? "h264" : "hevc")")
        let encoder =
            switch codec {
            case .h264:
                [
                    "libx264", "-tune", "zerolatency", "-x264-params",
                    "bframes=0:slices=3:scenecut=0:keyint=\(keyframes)",
                ]
            case .h265:
                [
                    "libx265", "-x265-params",
                    "bframes=0:repeat-headers=1:open-gop=0:scenecut=0:log-level=0:keyint=\(keyframes)",
                ]
            }
        try Tool.run(
            [
                "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=30", "-frames:v",
                "\(count)",
            ]
                + ["-pix_fmt", "yuv420p", "-preset", "ultrafast", "-c:v"] + encoder + [file])
        return (units(of: [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), codec), try hashes(of: file))
    }

    /// A whole coded picture.
    struct Unit {
        var bytes: [UInt8] = []
        var isKeyframe = false
    }

    /// Splits a stream before the first slice of each picture (H.264 section 7.4.1.2.4, as far as x264 needs it).
    private static func units(of stream: [UInt8], _ codec: VideoCodec) -> [Unit] {
        var units: [Unit] = []
        var (unit, hasSlice) = (Unit(), false)
        for range in AnnexB.nalUnits(in: stream.span.bytes) {
            let header = stream[range.lowerBound]
            let isSlice = NALHeader.isVCL(header, codec: codec)
            let beginsPicture = !isSlice || stream[range.lowerBound + NALHeader.size(codec)] & 0x80 != 0
            if hasSlice, beginsPicture {
                units.append(unit)
                (unit, hasSlice) = (Unit(), false)
            }
            unit.bytes += AnnexB.startCode + stream[range]
            if isSlice { hasSlice = true }
            if NALHeader.isKeyframe(header, codec: codec) { unit.isKeyframe = true }
        }
        return hasSlice ? units + [unit] : units
    }

    /// A tone in Opus packets of 20 ms.
    static func tone(seconds: Int, in folder: TestFolder) throws -> [[UInt8]] {
        let file = folder.file("tone.ogg")
        try Tool.run(
            [
                "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i",
                "sine=frequency=440:sample_rate=48000:duration=\(seconds)",
            ]
                + ["-ac", "2", "-c:a", "libopus", "-frame_duration", "20", file])
        // The first two packets are the Opus header and comments.
        return Array(oggPackets([UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))).dropFirst(2))
    }

    /// The packets of an Ogg file of one stream (RFC 3533 section 6).
    private static func oggPackets(_ file: [UInt8]) -> [[UInt8]] {
        var (packets, packet, place) = ([[UInt8]](), [UInt8](), 0)
        while place + 27 <= file.count {
            let segments = Int(file[place + 26])
            var body = place + 27 + segments
            for length in file[place + 27..<place + 27 + segments].map({ Int($0) }) {
                packet += file[body..<body + length]
                body += length
                if length < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
            place = body
        }
        return packets
    }

    /// A hash of each picture that a file decodes to.
    static func hashes(of file: String) throws -> [String] {
        try lines(
            ["ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-fps_mode", "passthrough", "-autoscale", "0"]
                + ["-f", "framemd5", "-"]
        ).filter { !$0.hasPrefix("#") }.map { line in
            line.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
        }
    }

    /// The time and duration of each packet of a track, in seconds.
    ///
    /// - Parameter track: the stream specifier, for example `v:0` or `a:0`.
    static func packets(of file: String, track: String) throws -> [(time: Double, length: Double)] {
        try lines(
            ["ffprobe", "-v", "error", "-select_streams", track, "-show_entries", "packet=pts_time,duration_time"]
                + ["-of", "csv=p=0", file]
        ).map { line in
            let fields = line.split(separator: ",").map { Double($0) ?? .nan }
            return (fields.first ?? .nan, fields.count > 1 ? fields[1] : .nan)
        }
    }

    /// Returns one entry of ffprobe's output for a file.
    static func fact(_ entry: String, of file: String, track: String? = nil) throws -> String {
        try lines(
            ["ffprobe", "-v", "error"] + (track.map { ["-select_streams", $0] } ?? [])
                + ["-show_entries", entry, "-of", "csv=p=0", file]
        ).joined(separator: " ")
    }

    /// Returns FFmpeg's warnings while it plays a whole file.
    static func complaints(about file: String) throws -> String {
        // Uses the file's timestamps: at FFmpeg's guessed output frame rate, two close pictures would get the same
        // time, which causes a warning.
        String(
            decoding: try Tool.run(
                ["ffmpeg", "-v", "warning", "-i", file, "-enc_time_base", "-1", "-f", "null", "-"], errors: true),
            as: UTF8.self)
    }

    private static func lines(_ command: [String]) throws -> [String] {
        String(decoding: try Tool.run(command), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
