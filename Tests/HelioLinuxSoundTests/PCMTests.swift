import HelioCore
import HelioLinuxSound
import HelioSoundCodecs
import Testing

@Suite struct PCMTests {
    @Test("what is decoded is what was coded, to half a step of 16 bits")
    func roundTrip() throws {
        let (encoder, decoder) = (try LinuxSound().makeEncoder(.pcm), try PCMDecoder(.standard))
        #expect(encoder.framesPerPacket == 240 && encoder.delayFrames == 0)
        let samples = CodecSignal.chord(frames: 4800)
        let output = try CodecSignal.roundTrip(samples, encoder, decoder)
        #expect(zip(samples, output).allSatisfy { abs($0 - $1) <= 1 / 65536 })
    }

    /// RFC 3551 section 4.5.11: signed, big-endian.
    @Test(
        "samples and their bytes",
        arguments: [
            (0, [0, 0]), (0.5, [0x40, 0]), (-1, [0x80, 0]), (1, [0x7F, 0xFF]), (7, [0x7F, 0xFF]), (-7, [0x80, 0]),
            (.infinity, [0x7F, 0xFF]), (-.infinity, [0x80, 0]), (.nan, [0, 0]), (1 / 32768, [0, 1]),
            (-1 / 32768, [0xFF, 0xFF]), (0.6 / 32768, [0, 1]), (0.4 / 32768, [0, 0]),
        ] as [(Float, [UInt8])])
    func bytes(sample: Float, expected: [UInt8]) throws {
        let encoder = try PCMEncoder(SoundFormat(sampleRate: 1000, channels: 1), packetDuration: .milliseconds(1))
        #expect(try encoder.encode([sample]) == expected)
    }

    @Test("bytes that are no whole samples are thrown", arguments: [0, 1, 2, 3, 5, 1023])
    func junk(count: Int) throws {
        let error = #expect(throws: HelioError.self) {
            try PCMDecoder(.standard).decode([UInt8](repeating: 1, count: count))
        }
        #expect(error?.code == .decoderFailed)
    }

    @Test("formats that there are not are refused")
    func formats() {
        for channels in [-1, 0, 3] {
            let error = #expect(throws: HelioError.self) {
                try PCMDecoder(SoundFormat(sampleRate: 48000, channels: channels))
            }
            #expect(error?.code == .unsupported)
        }
        for duration in [Duration.zero, .milliseconds(21), .seconds(1_000_000_000_000), .milliseconds(-5)] {
            #expect(throws: HelioError.self) { try PCMEncoder(.standard, packetDuration: duration) }
        }
    }
}
