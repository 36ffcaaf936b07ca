import Foundation
import HelioCore
import HelioPlayout
import Testing

@Suite("The playout of sound")
struct SoundPlayoutTests {
    /// The factor by which the second difference may exceed the tone's own at crossfades.
    private static let bendAtFades: Float = 4

    @Test func aPerfectNetworkAddsNoMoreThan10msAndNothingIsTouched() {
        let world = SoundWorld()
        world.run(.seconds(10))
        let statistics = world.playout.statistics
        #expect(statistics.delay <= 10)
        #expect(statistics.targetDelay <= 10)
        // The world adds 10 ms of path delay, 5 ms of packet, and 15 ms from render to output.
        let own = world.delays.dropFirst(100).map { $0.captured - 30 }
        #expect((own.max() ?? .infinity) <= 10)
        #expect((own.min() ?? -1) >= 2)
        #expect(statistics.gaps == 0 && statistics.underruns == 0 && statistics.lost == 0)
        #expect(statistics.concealed == 0 && statistics.lengthened == 0 && statistics.shortened == 0)
        #expect(world.playout.drops.total == 0)
        let played = world.played(from: .milliseconds(200))
        #expect(Tone.bend(of: played) < world.options.tone.bend(rate: 48000) * 1.02)
        #expect(Tone.cents(Tone.frequency(of: played, rate: 48000), 800) < 0.2)
        #expect(abs((played.max() ?? 0) - 0.5) < 0.005)
        #expect(abs(world.playout.level - 0.5) < 0.005)
    }

    @Test(arguments: [2, 5, 10, 20, 40])
    func theDelayIsThatOfTheChunk(milliseconds: Int) {
        var options = SoundWorld.Options.cheap
        options.chunk = .milliseconds(milliseconds)
        let world = SoundWorld(options)
        world.run(.seconds(5))
        #expect(world.playout.statistics.gaps == 0 && world.playout.statistics.concealed == 0)
        #expect(world.playout.statistics.delay <= Double(milliseconds) + 5)
    }

    @Test func beginsAndEndsWithoutAClick() {
        var options = SoundWorld.Options()
        options.talks = { $0 < .seconds(1) }
        let world = SoundWorld(options)
        world.run(.seconds(2))
        #expect(Tone.bend(of: world.played) < options.tone.bend(rate: 48000) * Self.bendAtFades)
        #expect(world.played.last == 0)
        #expect(world.playout.presented == nil)
        #expect(world.playout.level < 0.1)
    }

    @Test func jitterOf30msIsLearnedWithinASecondAndThenEvened() {
        var options = SoundWorld.Options.cheap
        options.jitter = .milliseconds(30)
        let world = SoundWorld(options)
        world.run(.seconds(3))
        let before = world.playout.statistics
        world.run(.seconds(60))
        let after = world.playout.statistics
        #expect(after.gaps == 0 && world.longestSilence < 8)
        #expect(after.concealed - before.concealed < 60)
        #expect((30...50).contains(after.delay))
        #expect(Tone.bend(of: world.played(from: .seconds(1))) < options.tone.bend(rate: 8000) * Self.bendAtFades)
    }

    @Test(arguments: [0.01, 0.05, 0.1, 0.2])
    func lossIsFilledByRedundancy(loss: Double) {
        var options = SoundWorld.Options.cheap
        options.loss = loss
        options.redundancy = 2
        let world = SoundWorld(options)
        world.run(.seconds(20))
        let statistics = world.playout.statistics
        #expect(world.lostPackets > 20)
        #expect(Double(statistics.recovered) > Double(world.lostPackets) * 0.8)
        #expect(statistics.delay < 25)
        #expect(statistics.gaps <= (loss < 0.15 ? 0 : 3))
    }

    @Test(arguments: [0.01, 0.05, 0.1, 0.2])
    func lossWithoutRedundancyIsConcealedWithoutClicks(loss: Double) {
        var options = SoundWorld.Options.cheap
        options.loss = loss
        let world = SoundWorld(options)
        world.run(.seconds(20))
        let statistics = world.playout.statistics
        #expect(abs(statistics.lost - world.lostPackets) <= 3)
        #expect(abs(statistics.concealed - Double(world.lostPackets) * 5) < 0.2 * Double(world.lostPackets) * 5 + 20)
        #expect(world.longestSilence < 80)
        #expect(statistics.delay < 15)
        #expect(Tone.bend(of: world.played) < options.tone.bend(rate: 8000) * Self.bendAtFades)
    }

    @Test func theCodecsOwnRedundancyIsWaitedForWhereItHelps() {
        var options = SoundWorld.Options.cheap
        options.packetFrames = 960
        options.loss = 0.05
        options.recovers = true
        let world = SoundWorld(options)
        world.run(.seconds(20))
        let statistics = world.playout.statistics
        #expect(Double(statistics.recovered) > Double(world.lostPackets) * 0.6)
        #expect(statistics.delay < 40)
    }

    @Test func burstsOfLossFadeAndComeBack() {
        var options = SoundWorld.Options.cheap
        options.loss = 0.02
        options.burst = 30
        let world = SoundWorld(options)
        world.run(.seconds(20))
        #expect(world.playout.statistics.gaps > 0)
        #expect(world.longestSilence < 8 * 200)
        #expect(Tone.bend(of: world.played) < options.tone.bend(rate: 8000) * Self.bendAtFades)
        #expect(world.playout.statistics.delay < 20)
    }

    @Test func aStallOfASecondIsCaughtUpWithAtOnce() {
        var options = SoundWorld.Options.cheap
        options.stall(3000, 4000)
        let world = SoundWorld(options)
        world.run(.seconds(6))
        let statistics = world.playout.statistics
        #expect(statistics.gaps == 1 && statistics.underruns == 1)
        #expect(statistics.delay < 20)
        #expect((8 * 850...8 * 1050).contains(world.longestSilence))
        #expect(world.playout.drops[.skipped] > 150)
        let late = world.delays.filter { $0.at > .milliseconds(4300) }.map(\.captured).max() ?? .infinity
        #expect(late < 60)
        #expect(Tone.bend(of: world.played) < options.tone.bend(rate: 8000) * Self.bendAtFades)
    }

    @Test func shortStallsThatComeAgainAreBufferedFor() {
        var options = SoundWorld.Options.cheap
        for number in 1..<30 { options.stall(number * 2000, number * 2000 + 80) }
        let world = SoundWorld(options)
        world.run(.seconds(12))
        let learned = world.playout.statistics.gaps
        world.run(.seconds(48))
        #expect(world.playout.statistics.gaps == learned)
        #expect((70...120).contains(world.playout.statistics.delay))
    }

    @Test(arguments: [50, 300, 900])
    func aLongerWayIsTakenAndAShorterOneToo(more: Int) {
        var options = SoundWorld.Options.cheap
        options.delay = { $0 >= .seconds(5) && $0 < .seconds(25) ? .milliseconds(10 + more) : .milliseconds(10) }
        let world = SoundWorld(options)
        world.run(.seconds(23))
        var late = world.delays.suffix(100).map { $0.captured - 30 - Double(more) }
        #expect((late.max() ?? 100) < 20 && (late.min() ?? 0) > 0)
        #expect(world.playout.statistics.gaps <= 3)
        // The longer delay is remembered for a minute, as it may recur.
        world.run(.seconds(75))
        late = world.delays.suffix(100).map { $0.captured - 30 }
        #expect((late.max() ?? 100) < 20 && (late.min() ?? 0) > 0)
        #expect(world.playout.statistics.gaps <= 5)
    }

    @Test func silenceThatIsNotSentIsNoLoss() {
        var options = SoundWorld.Options.cheap
        options.talks = { $0.milliseconds.truncatingRemainder(dividingBy: 1000) < 600 }
        let world = SoundWorld(options)
        world.run(.seconds(10))
        let statistics = world.playout.statistics
        #expect(statistics.lost == 0 && statistics.underruns == 0 && statistics.gaps == 0)
        #expect(world.playout.drops.total == 0)
        #expect(Tone.bend(of: world.played) < options.tone.bend(rate: 8000) * Self.bendAtFades)
        #expect(statistics.delay <= 10)
        // The audible part of each second: its 600 ms, and fading concealment.
        let loud = world.played.count { abs($0) > 0.02 }
        #expect((8 * 5500...8 * 6900).contains(loud))
    }

    @Test func reorderingWithinTheBufferIsUnheard() {
        var options = SoundWorld.Options.cheap
        options.jitter = .milliseconds(12)
        let world = SoundWorld(options)
        world.run(.seconds(2))
        let before = world.playout.statistics.concealed
        world.run(.seconds(20))
        #expect(world.playout.statistics.concealed - before < 30)
        #expect(world.playout.statistics.gaps == 0)
    }

    @Test(arguments: [300e-6, -300e-6])
    func clocks300ppmApart(drift: Double) {
        var options = SoundWorld.Options.cheap
        options.drift = drift
        options.records = false
        let world = SoundWorld(options)
        world.run(.seconds(Self.driftSeconds))
        let statistics = world.playout.statistics
        #expect(statistics.gaps == 0 && statistics.underruns == 0 && statistics.concealed == 0)
        #expect(statistics.lengthened == 0 && statistics.shortened == 0)
        #expect(world.longestSilence < 80)
        #expect(abs(statistics.drift - drift * 1e6) < 30)
        let own = world.delays.dropFirst(200).map { $0.captured - 30 }
        #expect((own.min() ?? 0) > 2 && (own.max() ?? 100) < 12)
    }

    /// The duration in seconds; `HELIO_SOUND_SECONDS=3600` runs an hour.
    static let driftSeconds = ProcessInfo.processInfo.environment["HELIO_SOUND_SECONDS"].flatMap(Int.init) ?? 120

    @Test func clocks300ppmApartKeepThePitchToACent() {
        var options = SoundWorld.Options()
        options.drift = 300e-6
        let world = SoundWorld(options)
        world.run(.seconds(20))
        let played = world.played(from: .seconds(1))
        #expect(Tone.cents(Tone.frequency(of: played, rate: 48000), 800) < 1)
        #expect(Tone.bend(of: played) < options.tone.bend(rate: 48000) * 1.02)
    }

    @Test(arguments: [44100, 48000, 96000, 16000, 22050])
    func row75AnyOutputRateHasTheRightPitchAndNoClick(rate: Int) {
        var options = SoundWorld.Options()
        options.output = SoundFormat(sampleRate: rate, channels: 2)
        let world = SoundWorld(options)
        world.run(.seconds(4))
        let played = world.played(from: .milliseconds(200))
        #expect(Tone.cents(Tone.frequency(of: played, rate: Double(rate)), 800) < 1)
        // The resampler's own noise is 80 dB below full scale, and at a high sample rate a tone changes little between
        // samples.
        #expect(Tone.bend(of: played) < options.tone.bend(rate: Double(rate)) * 1.02 + 1e-4)
        #expect(abs((played.max() ?? 0) - 0.5) < 0.01)
        #expect(world.playout.statistics.gaps == 0 && world.playout.statistics.concealed == 0)
    }

    @Test func stretchingKeepsThePitch() {
        // The target delay falls after the jitter has ended, and the buffer is shortened.
        var options = SoundWorld.Options.cheap
        for number in 0..<100 { options.stall(500 + number * 50, 545 + number * 50) }
        let world = SoundWorld(options)
        world.run(.seconds(6))
        let high = world.playout.statistics.delay
        world.run(.seconds(80))
        let statistics = world.playout.statistics
        #expect(high > 40 && statistics.delay < 15)
        #expect(statistics.shortened > 20)
        let played = world.played(from: .seconds(65))
        #expect(Tone.cents(Tone.frequency(of: played, rate: 8000), 400) < 1.2)
        #expect(Tone.bend(of: played) < options.tone.bend(rate: 8000) * 1.5)
    }

    @Test func aWayThatGrowsLongerIsKeptUpWithUnheard() {
        // 2 ms a second, four times what slower playback compensates: the rest is stretched.
        var options = SoundWorld.Options.cheap
        options.delay = { .milliseconds(10) + min(max(.zero, $0 - .seconds(2)) / 500, .milliseconds(80)) }
        let world = SoundWorld(options)
        world.run(.seconds(45))
        let statistics = world.playout.statistics
        #expect(statistics.lengthened > 30, "\(statistics.lengthened) ms")
        #expect(statistics.gaps == 0 && statistics.concealed < 30, "\(statistics.concealed) ms concealed")
        let played = world.played(from: .seconds(1))
        #expect(Tone.cents(Tone.frequency(of: played, rate: 8000), 400) < 1.2)
        #expect(Tone.bend(of: played) < options.tone.bend(rate: 8000) * 1.5)
    }

    @Test func muteAndVolumeAreRamps() {
        let world = SoundWorld()
        world.run(.seconds(1))
        world.playout.volume = 0.5
        world.run(.seconds(1))
        #expect(abs(world.playout.level - 0.25) < 0.01)
        world.playout.isMuted = true
        world.run(.seconds(1))
        #expect(world.played.last == 0)
        #expect(world.playout.presented == nil)
        world.playout.isMuted = false
        world.playout.volume = .nan
        #expect(world.playout.volume == 1)
        world.playout.volume = 7
        world.run(.seconds(1))
        #expect(world.playout.volume == 1)
        #expect(world.playout.presented != nil)
        let played = world.played(from: .milliseconds(200))
        #expect(Tone.bend(of: played) < world.options.tone.bend(rate: 48000) * 1.5)
        #expect(Tone.longestSilence(of: played) > 40000)
    }

    @Test func aCodecChangesWithoutAGap() {
        var options = SoundWorld.Options()
        options.codec = { Int($0.inSeconds) % 2 == 0 ? .pcm : .opus }
        let world = SoundWorld(options)
        world.run(.seconds(6))
        let statistics = world.playout.statistics
        #expect(statistics.gaps == 0 && statistics.concealed == 0 && statistics.lost == 0)
        #expect(statistics.codec == .opus)
        #expect(world.longestSilence < 48)
        #expect(Tone.bend(of: world.played(from: .milliseconds(200))) < options.tone.bend(rate: 48000) * 1.5)
    }

    @Test func monoOutputHasBothChannels() throws {
        let playout = SoundPlayout(.init(output: SoundFormat(sampleRate: 48000, channels: 1))) { codec, _ in
            ToneDecoder(codec, .standard)
        }
        let stereo = (0..<240).flatMap { _ in [Float(0.2), Float(0.6)] }
        var samples: [Float] = []
        for number in 0..<40 {
            let now = Instant.zero + .milliseconds(5 * number)
            playout.handle(
                ReceivedSound(
                    codec: .pcm, payload: ToneDecoder.payload(stereo), sequence: ExtendedSequence(UInt64(number)),
                    mediaTime: Int64(number) * 240, arrival: now), now: now)
            var chunk = [Float](repeating: 9, count: 240)
            var span = chunk.mutableSpan
            playout.render(&span, heard: now, now: now + .milliseconds(1))
            samples += chunk
        }
        #expect(abs((samples.last ?? 0) - 0.4) < 0.001)
    }

    @Test func whatIsMadeUpAtASilencesBeginningTellsNoTime() {
        var options = SoundWorld.Options()
        // A sixteenth of a second, twice a second: silence isn't sent, so its beginning is concealed.
        options.talks = { $0.milliseconds.truncatingRemainder(dividingBy: 500) < 62.5 }
        let world = SoundWorld(options)
        world.run(.seconds(20))
        #expect(world.playout.statistics.concealed > 1000)
        let delays = world.delays.filter { $0.at > .seconds(1) }.map(\.captured).sorted()
        #expect(delays.count > 200)
        #expect(delays.last! - delays.first! < 8, "\(delays.first!) to \(delays.last!) ms")
    }

    @Test func presentedTellsWhenAClickOfTheSourceIsHeard() throws {
        let playout = SoundPlayout { codec, format in ToneDecoder(codec, format) }
        playout.handle(SoundClock(mediaTime: 24000, captured: Instant(nanoseconds: 900_000_000)))
        let device = Duration.milliseconds(20)
        var heardClicks: [Instant] = []
        var told: [Instant] = []
        // Clicks every 100 ms; the source's clock was at 900 ms at frame 24000.
        for number in 0..<400 {
            let now = Instant.zero + .seconds(50) + .milliseconds(5 * number)
            var block = [Float](repeating: 0.01, count: 480)
            if number % 20 == 10 { block[200] = 0.9 }
            playout.handle(
                ReceivedSound(
                    codec: .pcm, payload: ToneDecoder.payload(block), sequence: ExtendedSequence(UInt64(number)),
                    mediaTime: Int64(number) * 240, arrival: now), now: now)
            var chunk = [Float](repeating: 0, count: 480)
            var span = chunk.mutableSpan
            let heard = now + device
            playout.render(&span, heard: heard, now: now + .milliseconds(2))
            // If a click falls between two output samples, its highest sample is 0.57.
            if let peak = chunk.indices.first(where: { $0 % 2 == 0 && chunk[$0] > 0.4 }) {
                heardClicks.append(heard + .nanoseconds(Int64(peak / 2) * 1_000_000 / 48))
            }
            guard let presented = playout.presented, number % 20 == 10 else { continue }
            // Frame 100 of packet `number`, in the source's clock.
            let frame = number * 240 + 100
            let captured = Instant(nanoseconds: 900_000_000 + (Int64(frame) - 24000) * 62500 / 3)
            told.append(presented.heard + (captured - presented.captured))
        }
        #expect(heardClicks.count >= 18 && told.count >= 18)
        for (heard, told) in zip(heardClicks.suffix(15), told.suffix(15)) {
            #expect(abs((heard - told).milliseconds) < 0.5)
        }
    }
}
