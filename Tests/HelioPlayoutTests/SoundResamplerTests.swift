import HelioCore
import HelioPlayout
import Testing

@Suite("The resampler of sound")
struct SoundResamplerTests {
    @Test(arguments: [
        (44100, 48000), (48000, 44100), (48000, 48000), (48000, 96000), (96000, 48000), (48000, 16000), (8000, 48000),
        (192_000, 48000), (44100, 22050),
    ])
    func row75ATonePassesWithItsPitchLevelAndTime(from: Int, to: Int) {
        for channels in 1...2 {
            let tone = Tone(frequency: 1000)
            var resampler = SoundResampler(from: from, to: to, channels: channels)
            let length = from / 4
            let input = tone.samples(0..<length, rate: Double(from), channels: channels)
            var output: [Float] = []
            var taken = 0
            // Input in pieces of odd lengths.
            var piece = 1
            while taken < length {
                let count = min(piece, length - taken)
                output += resampler.convert(Array(input[taken * channels..<(taken + count) * channels]))
                taken += count
                piece = piece * 3 % 997 + 1
            }
            let first = stride(from: 0, to: output.count, by: channels).map { output[$0] }
            // All output except for what the filter still delays.
            let pending = Int((resampler.pending * Double(to) / Double(from)).rounded())
            #expect(abs(first.count + pending - to / 4) <= 1)
            let settled = Array(first.dropFirst(to / 100))
            #expect(Tone.cents(Tone.frequency(of: settled, rate: Double(to)), 1000) < 0.05)
            #expect(Tone.bend(of: settled) < tone.bend(rate: Double(to)) * 1.1)
            // Each output sample equals the tone at its time.
            let exact = tone.samples(0..<first.count, rate: Double(to), channels: 1)
            let error = zip(first, exact).dropFirst(to / 100).map { abs($0 - $1) }.max() ?? 1
            #expect(error < 5e-4, "\(from) to \(to): \(error)")
            if channels == 2 { #expect(output[output.count - 1] == output[output.count - 2]) }
        }
    }

    @Test func whatIsNeededIsWhatIsAvailable() {
        var resampler = SoundResampler(from: 44100, to: 48000, channels: 1)
        for count in [1, 7, 441, 100, 5, 1000] {
            let needed = resampler.framesNeeded(for: count)
            resampler.push([Float](repeating: 1, count: max(0, needed - 1)).span)
            if needed > 0 {
                #expect(resampler.available < count)
                resampler.push([Float(1)].span)
            }
            #expect(resampler.framesNeeded(for: count) == 0)
            #expect(resampler.available >= count)
            var output = [Float](repeating: 0, count: count)
            var span = output.mutableSpan
            resampler.produce(count, into: &span)
        }
    }

    @Test func whatIsAboveTheLowerRatesHalfIsFilteredOut() {
        var resampler = SoundResampler(from: 48000, to: 16000, channels: 1)
        let output = resampler.convert(Tone(frequency: 11000).samples(0..<48000, rate: 48000, channels: 1))
        #expect((output.dropFirst(200).map { abs($0) }.max() ?? 1) < 0.001)
    }

    @Test func aCorrectionChangesThePitchByAsMuch() {
        var resampler = SoundResampler(from: 48000, to: 48000, channels: 1)
        resampler.correction = 0.001
        let output = resampler.convert(Tone(frequency: 1000).samples(0..<96000, rate: 48000, channels: 1))
        #expect(Tone.cents(Tone.frequency(of: output, rate: 48000), 1001) < 0.02)
    }
}
