import Foundation
import HelioCore
import HelioMedia
import HelioPlayout
import Testing

@Suite("The playout of sound, through anything")
struct SoundTurmoilTests {
    /// The number of seeds; `HELIO_SOUND_RUNS=10000` runs more, `HELIO_SOUND_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_SOUND_RUNS"].flatMap(Int.init) ?? 100
    /// `HELIO_SOUND_QUALITY=48000` runs seeds at this output sample rate instead of the cheap one.
    static let quality = ProcessInfo.processInfo.environment["HELIO_SOUND_QUALITY"].flatMap(Int.init)
    static let seed = ProcessInfo.processInfo.environment["HELIO_SOUND_SEED"].flatMap(UInt64.init)

    @Test("in each seeded run sound goes on, within its bounds, without clicks", arguments: 0..<4)
    func runs(part: Int) {
        let seeds = Self.seed.map { [$0] } ?? Array(0..<UInt64(Self.runs))
        for seed in seeds where Self.seed != nil || Int(seed) % 4 == part { run(seed) }
    }

    private func run(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 7919 &+ 1)
        var options = SoundWorld.Options.cheap
        if let rate = Self.quality {
            options.output = SoundFormat(sampleRate: rate, channels: 2)
            options.filterTaps = 32
        }
        options.seed = seed
        options.loss = random.unit() * 0.2
        options.burst = Int.random(in: 1...4, using: &random)
        options.redundancy = Int.random(in: 0...2, using: &random)
        options.jitter = .microseconds(Int.random(in: 0...30000, using: &random))
        options.packetFrames = [120, 240, 480, 960].randomElement(using: &random) ?? 240
        options.chunk = .milliseconds(Int.random(in: 2...25, using: &random))
        options.drift = (random.unit() - 0.5) * 1e-3
        options.recovers = Bool.random(using: &random)
        options.firstSequence = UInt64.random(in: 0...70000, using: &random)
        if random.unit() < 0.3 {
            let start = Int.random(in: 500...1500, using: &random)
            options.stall(start, start + Int.random(in: 20...600, using: &random))
        }
        if random.unit() < 0.2 { options.talks = { $0.milliseconds.truncatingRemainder(dividingBy: 500) < 350 } }
        if random.unit() < 0.2 { options.codec = { Int($0.inSeconds * 2) % 2 == 0 ? .pcm : .opus } }
        let world = SoundWorld(options)
        world.run(.seconds(3))
        let statistics = world.playout.statistics
        // Long enough after any incident, sound plays and is not late.
        #expect(world.begun, "seed \(seed)")
        #expect(statistics.delay < 200, "seed \(seed): \(statistics.delay) ms")
        #expect(world.played.allSatisfy { abs($0) < 1.2 }, "seed \(seed)")
        // At full quality a discontinuity of the slope is detected; the limit corresponds to a step of 3 % of full
        // scale.
        let most = options.tone.bend(rate: Double(options.output.sampleRate)) * (Self.quality == nil ? 3 : 20)
        let bend = Tone.bend(of: world.played)
        #expect(bend < most, "seed \(seed): \(bend)")
        let last = world.played(from: .milliseconds(2600))
        #expect(Tone.longestSilence(of: last) < options.output.sampleRate * 42 / 100, "seed \(seed)")
    }
}
