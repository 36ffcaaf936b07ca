import Foundation
import HelioCore
import HelioLinuxSound
import HelioSoundCodecs
import Testing

@Suite struct OpusEncoderTests {
    @Test("what is decoded is what was coded, at its time", arguments: [SoundEncode.opus, .thinOpus])
    func roundTrip(encode: SoundEncode) throws {
        let encoder = try LinuxSound().makeEncoder(encode)
        #expect(encoder.format.duration(ofFrames: encoder.framesPerPacket) == encode.packetDuration)
        #expect(encoder.delayFrames == (encode == .opus ? 120 : 312))
        let samples = CodecSignal.chord(frames: 48000)
        let output = try CodecSignal.roundTrip(samples, encoder, OpusDecoder(.standard))
        let (lag, ratio) = CodecSignal.compare(samples, output, frames: 9600..<38400)
        // At low bitrates the waveform is not preserved exactly to the sample.
        #expect(abs(lag) <= 1)
        #expect(ratio > (encode == .opus ? 20 : 10))
    }

    @Test("a lost packet is recovered from the one after it where losses were told")
    func recovery() throws {
        let encoder = try LinuxSound().makeEncoder(.thinOpus)
        try encoder.reconfigure(
            SoundEncoderSettings(bitrate: 48000, packetDuration: .milliseconds(20), lossShare: 0.2))
        let packets = try CodecSignal.encode(CodecSignal.speech(), by: encoder)
        let whole = try OpusDecoder(.standard)
        let reference = try packets.map { try $0.map { try whole.decode($0) } }
        let (recovering, concealing) = (try OpusDecoder(.standard), try OpusDecoder(.standard))
        var (recovered, concealed, power) = (0.0, 0.0, 0.0)
        for (number, packet) in packets.enumerated() {
            guard let packet else { continue }
            if number % 7 == 3, number + 1 < packets.count, let next = packets[number + 1] {
                let expected = try #require(reference[number])
                let restored = try #require(try recovering.recover(from: next, frames: 960))
                let invented = try #require(try concealing.conceal(frames: 960))
                #expect(restored.count == expected.count && invented.count == expected.count)
                recovered += Self.power(zip(restored, expected).map { $0 - $1 })
                concealed += Self.power(zip(invented, expected).map { $0 - $1 })
                power += Self.power(expected)
            } else {
                _ = try recovering.decode(packet)
                _ = try concealing.decode(packet)
            }
        }
        #expect(power > 0)
        #expect(recovered < concealed / 2)
        #expect(recovered < power / 2)
    }

    @Test("every stretch of silence gives a packet where that is wanted, also of an encoder that rests otherwise")
    func silence() throws {
        let rest = [Float](repeating: 0, count: 192_000)
        for encode in [SoundEncode.opus, .thinOpus, .pcm] {
            let encoder = try LinuxSound().makeEncoder(encode)
            try encoder.reconfigure(
                SoundEncoderSettings(
                    bitrate: encode.bitrate, packetDuration: encode.packetDuration, codesRests: true))
            #expect(try CodecSignal.encode(rest, by: encoder).allSatisfy { !($0 ?? []).isEmpty })
        }
        let resting = try LinuxSound().makeEncoder(.thinOpus)
        #expect(try CodecSignal.encode(rest, by: resting).contains { $0 == nil })
        #expect(try CodecSignal.encode(CodecSignal.chord(frames: 9600), by: resting).allSatisfy { $0 != nil })
    }

    @Test("bitrate and the length of packets change while it runs")
    func reconfigure() throws {
        let encoder = try LinuxSound().makeEncoder(.opus)
        let samples = CodecSignal.chord(frames: 48000)
        let before = try CodecSignal.encode(samples, by: encoder).compactMap { $0 }.reduce(0) { $0 + $1.count }
        #expect((12000...20000).contains(before))
        try encoder.reconfigure(SoundEncoderSettings(bitrate: 64000, packetDuration: .microseconds(2500)))
        #expect(encoder.framesPerPacket == 120)
        let after = try CodecSignal.encode(samples, by: encoder).compactMap { $0 }
        #expect(after.count == 400)
        #expect((6000...10000).contains(after.reduce(0) { $0 + $1.count }))
        for duration in [Duration.zero, .milliseconds(7), .seconds(1_000_000_000_000)] {
            let error = #expect(throws: HelioError.self) {
                try encoder.reconfigure(SoundEncoderSettings(bitrate: 64000, packetDuration: duration))
            }
            #expect(error?.code == .invalidArgument)
        }
        #expect(try encoder.encode([Float](repeating: .nan, count: 240)) != nil)
        #expect(throws: HelioError.self) { try encoder.encode([0]) }
        // Invalid settings are clamped to the nearest valid ones.
        for (bitrate, loss) in [(Int.max, 7.5), (Int.min, -1), (0, Double.nan), (64000, Double.infinity)] {
            try encoder.reconfigure(
                SoundEncoderSettings(bitrate: bitrate, packetDuration: .milliseconds(5), lossShare: loss))
            #expect(try CodecSignal.encode(samples, by: encoder).allSatisfy { $0 != nil })
        }
    }

    private static func power(_ samples: [Float]) -> Double { samples.reduce(0) { $0 + Double($1) * Double($1) } }
}
