import HelioCore
import HelioLinuxSound
import Testing

@Suite struct AACTests {
    @Test("what is decoded is what was coded, at its time")
    func roundTrip() throws {
        let encoder = try AACEncoder(.standard, bitrate: 128_000)
        #expect(encoder.framesPerPacket == 1024)
        // AAC-LC, 48 kHz, 2 channels (ISO/IEC 14496-3 section 1.6.2.1).
        #expect(Array(encoder.configuration.prefix(2)) == [0x11, 0x90])
        let samples = CodecSignal.chord(frames: 96000)
        for configuration in [encoder.configuration, []] {
            let encoder = try AACEncoder(.standard, bitrate: 128_000)
            let decoder = try AACDecoder(.standard, configuration: configuration)
            let output = try CodecSignal.roundTrip(samples, encoder, decoder)
            let (lag, ratio) = CodecSignal.compare(samples, output, frames: 9600..<80000)
            #expect(lag == 0)
            #expect(ratio > 15)
        }
    }

    @Test("the bitrate changes while it runs")
    func bitrate() throws {
        let encoder = try AACEncoder(.standard, bitrate: 192_000)
        let samples = CodecSignal.chord(frames: 96000)
        let before = try CodecSignal.encode(samples, by: encoder).compactMap { $0 }.reduce(0) { $0 + $1.count }
        encoder.reconfigure(SoundEncoderSettings(bitrate: 48000, packetDuration: .milliseconds(5)))
        let after = try CodecSignal.encode(samples, by: encoder).compactMap { $0 }.reduce(0) { $0 + $1.count }
        #expect(after < before / 2)
        #expect(encoder.framesPerPacket == 1024)
    }

    @Test("another rate or one channel becomes what is asked for", arguments: [(44100, 2), (48000, 1), (16000, 1)])
    func formats(rate: Int, channels: Int) throws {
        let format = SoundFormat(sampleRate: rate, channels: channels)
        let encoder = try AACEncoder(format, bitrate: 96000)
        let decoder = try AACDecoder(.standard, configuration: encoder.configuration)
        let tone = Tone(frequency: 997)
        let stereo = tone.samples(frames: rate * 2, rate: Double(rate))
        let samples = channels == 2 ? stereo : stride(from: 0, to: stereo.count, by: 2).map { stereo[$0] }
        let output = try CodecSignal.encode(samples, by: encoder).compactMap { $0 }.flatMap { try decoder.decode($0) }
        #expect((90000...96000).contains(output.count / 2))
        let found = tone.find(in: output[9600..<150_000])
        #expect(abs(found.cents) < 1)
        // Mono is decoded to stereo at full level, or at half power per channel.
        #expect(abs(found.level) < 0.5 || abs(found.level + 3) < 0.5)
    }

    @Test("bytes that are no packet are thrown or are silence, and harm nothing after them")
    func junk() throws {
        let encoder = try AACEncoder(.standard, bitrate: 128_000)
        let decoder = try AACDecoder(.standard, configuration: encoder.configuration)
        let packets = try CodecSignal.encode(CodecSignal.chord(frames: 48000), by: encoder).compactMap { $0 }
        for payload in [[], [0xFF], [UInt8](repeating: 0xFF, count: 8192), [UInt8](repeating: 0x55, count: 300)] {
            let error = #expect(throws: HelioError.self) { try decoder.decode(payload) }
            #expect(error?.code == .decoderFailed)
        }
        var generator = SeededGenerator(seed: 19)
        for packet in packets.prefix(30) {
            var broken = packet
            for _ in 0..<8 { broken[Int.random(in: 0..<broken.count, using: &generator)] ^= 0x10 }
            broken.removeLast(Int.random(in: 0..<broken.count, using: &generator))
            _ = try? decoder.decode(broken)
        }
        #expect(try decoder.decode(packets[10]).count == 2048)
    }

    @Test(
        "a configuration that is none is refused, or is none of ours", arguments: [[0xFF, 0xFF], [], [0]] as [[UInt8]])
    func configurations(configuration: [UInt8]) throws {
        _ = try? AACDecoder(.standard, configuration: configuration)
        #expect(throws: HelioError.self) {
            try AACDecoder(.standard, configuration: configuration + [UInt8](repeating: 0, count: 65))
        }
        #expect(throws: HelioError.self) { try AACDecoder(SoundFormat(sampleRate: 0, channels: 2)) }
        #expect(throws: HelioError.self) { try AACDecoder(SoundFormat(sampleRate: 48000, channels: 6)) }
    }
}
