import Foundation
import HelioCore
import HelioTestPrograms
import Testing

/// A coded scene: the first half of each second is white with a tone of 440 Hz, the other half black and silent. FFmpeg
/// encodes it once for all tests of a run.
struct FlashAndTone: Sendable {
    static let frequency = 440.0
    static let frameTime = Duration.milliseconds(40)
    static let size = PixelSize(width: 160, height: 120)
    private static let seconds = 20

    /// Access units of H.264; every 25th is a keyframe.
    let pictures: [[UInt8]]
    /// Access units of AAC. The first one is the encoder's priming: 1024 frames that are not to be played.
    let aac: [[UInt8]]
    /// Opus packets of 5 ms each.
    let opus: [[UInt8]]

    static let shared = Result { try FlashAndTone() }

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = "color=c=white:size=\(Self.size):rate=25:duration=\(Self.seconds)"
        let tone = "sine=frequency=\(Self.frequency):sample_rate=48000:duration=\(Self.seconds)"
        func code(_ name: String, _ arguments: [String]) throws -> [UInt8] {
            let file = folder.appendingPathComponent(name).path
            let coder = try RunningProgram(
                "ffmpeg", ["-hide_banner", "-loglevel", "error", "-nostdin"] + arguments + [file], environment: [:])
            guard coder.waitUntilExit() == 0, let data = FileManager.default.contents(atPath: file) else {
                throw RunningProgram.Ended(description: "\(name) could not be made: \(coder.text)")
            }
            return [UInt8](data)
        }
        let video = try code(
            "scene.h264",
            [
                "-f", "lavfi", "-i", picture, "-vf", "drawbox=color=black:t=fill:enable='gte(mod(n,25),13)'", "-c:v",
                "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-g", "25", "-pix_fmt", "yuv420p",
                "-x264-params", "aud=1:slices=1:scenecut=0", "-f", "h264",
            ])
        let heard = [
            "-f", "lavfi", "-i", tone, "-af", "volume=4:enable='lt(mod(t,1),0.5)',volume=0:enable='gte(mod(t,1),0.5)'",
        ]
        let adts = try code("tone.aac", heard + ["-ac", "2", "-c:a", "aac", "-b:a", "128k", "-f", "adts"])
        let ogg = try code(
            "tone.ogg",
            heard + [
                "-ac", "2", "-c:a", "libopus", "-b:a", "128k", "-application", "lowdelay", "-frame_duration", "5",
                "-f", "ogg",
            ])
        pictures = Self.accessUnits(video)
        aac = Self.units(ofADTS: adts)
        opus = Array(OggPackets.parse(ogg).dropFirst(2))
    }

    /// Splits a stream before each access unit delimiter.
    private static func accessUnits(_ stream: [UInt8]) -> [[UInt8]] {
        var starts: [Int] = []
        for index in 0..<max(0, stream.count - 5)
        where stream[index..<index + 4].elementsEqual([0, 0, 0, 1]) && stream[index + 4] & 0x1F == 9 {
            starts.append(index)
        }
        return zip(starts, starts.dropFirst() + [stream.count]).map { Array(stream[$0..<$1]) }
    }

    private static func units(ofADTS stream: [UInt8]) -> [[UInt8]] {
        var units: [[UInt8]] = []
        var offset = 0
        while offset + 7 <= stream.count {
            let size = Int(stream[offset + 3] & 3) << 11 | Int(stream[offset + 4]) << 3 | Int(stream[offset + 5] >> 5)
            units.append(Array(stream[offset + 7..<offset + size]))
            offset += size
        }
        return units
    }

    /// Returns an ADTS file for FFmpeg: each access unit behind an AAC-LC header, by default 48 kHz stereo.
    static func adts(_ units: [[UInt8]], rateIndex: UInt8 = 3, channels: UInt8 = 2) -> [UInt8] {
        units.flatMap { unit -> [UInt8] in
            let size = unit.count + 7
            return [
                0xFF, 0xF1, 0x40 | rateIndex << 2, channels << 6 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF),
                UInt8(size & 7) << 5 | 0x1F, 0xFC,
            ] + unit
        }
    }
}
