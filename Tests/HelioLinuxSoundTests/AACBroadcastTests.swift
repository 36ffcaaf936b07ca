import Foundation
import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioLinuxSound
import HelioSound
import HelioTestPrograms
import Testing

/// The AAC of broadcasts, decoded by FFmpeg's programs.
struct AACBroadcastTests {
    private static let begin = Instant(nanoseconds: 9_000_000_000)

    /// Runs an FFmpeg program on a file with these bytes.
    private static func run(_ bytes: [UInt8], _ name: String, _ command: (String) -> [String]) throws -> Data {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "heliograph-\(UUID().uuidString).\(name)")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(bytes).write(to: file)
        return try Tool.run(command(file.path))
    }

    private static func decode(_ bytes: [UInt8], _ name: String) throws -> [Float] {
        let data = try run(bytes, name) {
            [
                "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-xerror", "-i", $0, "-f", "f32le", "-ac", "2",
                "-ar",
                "48000", "-",
            ]
        }
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Encodes samples in blocks of 10 ms, as from a capture; returns the access units with their times.
    private static func code(_ samples: [Float]) -> [EncodedSound] {
        var packets: [EncodedSound] = []
        let coder = SoundCoder(
            .system, patience: .zero,
            makeEncoder: { _ throws(HelioError) in try AACEncoder(.standard, bitrate: 128_000) },
            put: { packets.append($0) }, note: { Issue.record("\($0)") })
        coder.set(SoundDemand(encodes: [.aac], takesSilence: true))
        for (index, start) in stride(from: 0, to: samples.count - 959, by: 960).enumerated() {
            coder.take(
                SoundBlock(
                    format: .standard, samples: Array(samples[start..<start + 960]),
                    captured: begin + .milliseconds(10) * index))
        }
        #expect(coder.drops.total == 0)
        return packets
    }

    /// The decoded tone has the right pitch, no clicks, and unchanged sample positions: a packet's time is that of its
    /// first decoded sample.
    @Test func decodedBack() throws {
        let tone = Tone(frequency: 997)
        let samples = tone.samples(frames: 96000)
        let packets = Self.code(samples)
        var stream: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            #expect(packet.frames == 1024)
            if index > 0 { #expect(packet.mediaTime - packets[index - 1].mediaTime == 1024) }
            let header = try #require(ADTSHeader(AudioSpecificConfig(.standard), unitSize: packet.payload.count))
            header.write(into: &stream)
            stream += packet.payload
        }
        let decoded = try Self.decode(stream, "aac")
        #expect(decoded.count == packets.count * 2048)
        let found = tone.find(in: decoded[9600..<180_000])
        #expect(abs(found.cents) < 1)
        #expect(abs(found.level) < 0.5)
        #expect(found.noise > 20)
        // A larger step than the tone's own would be a gap.
        #expect(found.click < 0.05)
        // The first packet begins before the first captured sample, by the codec's delay.
        let first = try #require(packets.first)
        let early = Self.begin - first.captured
        #expect(early == SoundFormat.standard.duration(ofFrames: 1024))
        let chord = CodecSignal.chord(frames: 48000)
        var coded: [UInt8] = []
        for packet in Self.code(chord) {
            let header = try #require(ADTSHeader(AudioSpecificConfig(.standard), unitSize: packet.payload.count))
            header.write(into: &coded)
            coded += packet.payload
        }
        let output = Array(try Self.decode(coded, "aac").dropFirst(2048))
        let (lag, ratio) = CodecSignal.compare(chord, output, frames: 4800..<38000)
        #expect(lag == 0)
        #expect(ratio > 15)
    }

    /// Through a whole broadcast, a tone that begins after one second is audible one second after the start.
    @Test func onItsTime() throws {
        let rest = [Float](repeating: 0, count: 96000)
        let packets = Self.code(rest + Tone(frequency: 997).samples(frames: 96000))
        let config = try #require(AudioSpecificConfig(try AACEncoder(.standard, bitrate: 128_000).configuration))
        let tracks = BroadcastTracks(video: nil, sound: .aac(config))
        var broadcast = Broadcast(tracks, now: Self.begin)
        var multiplexer = try SRTMultiplexer(tracks)
        broadcast.handle(.connected, now: Self.begin)
        var stream: [UInt8] = []
        for packet in packets {
            let now = packet.captured + .milliseconds(60)
            broadcast.handle(.sound(packet), now: now)
            while let unit = broadcast.next(now: now) {
                let packets = multiplexer.packets(of: unit)
                stream += try #require(packets)
            }
        }
        #expect(broadcast.statistics(now: Self.begin).drops == [:])
        let told = try Self.run(stream, "ts") {
            [
                "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries",
                "packet=pts:stream=codec_name,profile,sample_rate,channels", "-of", "csv=p=0", $0,
            ]
        }
        let lines = String(decoding: told, as: UTF8.self).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("aac,LC,48000,2") })
        let times = lines.compactMap { Int($0.split(separator: ",").first.map(String.init) ?? "") }
        #expect(times.count == packets.count)
        #expect(times.first == 0)
        for (first, second) in zip(times, times.dropFirst()) {
            if abs(second - first - 1920) > 2 { Issue.record("a gap: \(first) to \(second)") }
        }
        let decoded = try Self.decode(stream, "ts")
        #expect(decoded.count == packets.count * 2048)
        // The stream starts with the first packet's first sample, 1024 samples before the first captured one.
        let onset = try #require(decoded.firstIndex { abs($0) > 0.1 }) / 2
        #expect(abs(onset - (48000 + 1024)) < 48)
    }
}
