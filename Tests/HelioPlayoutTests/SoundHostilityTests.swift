import HelioCore
import HelioPlayout
import Testing

@Suite("The playout of sound, and packets that mean no good")
struct SoundHostilityTests {
    private func packet(
        _ sequence: UInt64, _ time: Int64, _ payload: [UInt8] = ToneDecoder.payload(240), codec: SoundCodec = .pcm,
        begins: Bool = false, arrival: Instant
    ) -> ReceivedSound {
        ReceivedSound(
            codec: codec, payload: payload, sequence: ExtendedSequence(sequence), mediaTime: time, beginsTalk: begins,
            arrival: arrival)
    }

    /// Runs a playing world, performs `body`, and checks that it still plays.
    private func afterwards(_ what: String, _ body: (SoundWorld) -> Void) {
        let world = SoundWorld(.cheap)
        world.run(.seconds(1))
        body(world)
        world.run(.seconds(12))
        let tail = world.played(from: .milliseconds(12500))
        #expect(Tone.longestSilence(of: tail) < 80, "\(what)")
        #expect(world.playout.statistics.delay < 60, "\(what): \(world.playout.statistics.delay)")
    }

    @Test func timesThatCantBeAreDropped() {
        for time in [Int64.min, .max, 0, -1, 1 << 33 + 48000 * 60, 1 << 62] {
            afterwards("time \(time)") { world in
                world.deliver(packet(900_000, time, arrival: world.now))
                #expect(world.playout.drops[.implausible] == 1)
            }
        }
    }

    @Test func aStreamThatBeginsAnewIsFollowed() {
        let world = SoundWorld(.cheap)
        world.run(.seconds(1))
        // Four packets are outliers; from the fifth on they are the stream, and the old numbers are invalid.
        for number in 0..<5 as Range<UInt64> {
            world.deliver(packet(number, 77 + Int64(number) * 240, arrival: world.now))
        }
        #expect(world.playout.statistics.restarts == 1)
        world.run(.seconds(2))
        #expect(world.playout.statistics.restarts == 2)
        #expect(Tone.longestSilence(of: world.played(from: .milliseconds(2000))) < 80)
    }

    @Test func payloadsThatAreNoneAreDropped() {
        for (payload, reason) in [
            ([], SoundDrop.badLength), ([1], .undecodable), ([0, 0], .badLength), ([0xFF, 0xFF], .badLength),
            ([0, 240, 1], .undecodable), ([0x16, 0x81], .badLength),
        ] as [([UInt8], SoundDrop)] {
            let world = SoundWorld(.cheap)
            world.run(.seconds(1))
            // Replaces the next packet, whose number is not known to be in use yet.
            let next = UInt64(65500 + 198)
            world.deliver(packet(next, 1 << 33 + 198 * 240, payload, arrival: world.now))
            world.run(.seconds(1))
            #expect(world.playout.drops[reason] >= 1, "\(payload)")
            #expect(world.playout.statistics.gaps == 0)
            #expect(Tone.bend(of: world.played) < world.options.tone.bend(rate: 8000) * 4)
        }
    }

    @Test func aFloodIsBounded() {
        let world = SoundWorld(.cheap)
        world.run(.seconds(1))
        for number in 0..<20_000 as Range<UInt64> {
            world.deliver(packet(1_000_000 + number, 1 << 33 + 48000 + Int64(number % 4800), arrival: world.now))
        }
        #expect(world.playout.drops[.overflow] > 19_000)
        world.run(.seconds(12))
        #expect(Tone.longestSilence(of: world.played(from: .seconds(10))) < 80)
    }

    @Test func duplicatesAndLateOnesAreCounted() {
        let world = SoundWorld(.cheap)
        world.run(.seconds(1))
        world.deliver(packet(65500 + 100, 1 << 33 + 100 * 240, arrival: world.now))
        #expect(world.playout.drops[.duplicate] == 1)
        world.deliver(packet(65400, 1 << 33 - 100 * 240, arrival: world.now))
        #expect(world.playout.drops[.late] == 1)
    }

    @Test func aCodecWithoutADecoderIsSilentAndCounted() {
        struct Asked { var times = 0 }
        var asked = Asked()
        let playout = SoundPlayout { codec, format throws(HelioError) in
            asked.times += 1
            throw HelioError(.unsupported, "There is none.")
        }
        for number in 0..<100 {
            let now = Instant.zero + .milliseconds(5 * number)
            playout.handle(packet(UInt64(number), Int64(number) * 240, arrival: now), now: now)
            var chunk = [Float](repeating: 9, count: 480)
            var span = chunk.mutableSpan
            playout.render(&span, heard: now, now: now)
            #expect(chunk.allSatisfy { $0 == 0 })
        }
        #expect(asked.times == 1)
        #expect(playout.drops[.undecodable] > 50)
    }

    @Test func aClockThatCantBeTellsNothing() {
        let world = SoundWorld(.cheap)
        world.run(.seconds(1))
        world.playout.handle(SoundClock(mediaTime: .min, captured: Instant(nanoseconds: .max)))
        world.run(.seconds(1))
        #expect(world.playout.presented == nil)
    }

    @Test func chunksOfAnyLengthAreFilled() {
        let playout = SoundPlayout { codec, format in ToneDecoder(codec, format) }
        var now = Instant.zero
        for (number, count) in [0, 1, 2, 3, 961, 200_000, 480, 96_000, 2].enumerated() {
            now = now + .milliseconds(20)
            playout.handle(
                packet(UInt64(number), Int64(number) * 960, ToneDecoder.payload(960), arrival: now), now: now)
            var chunk = [Float](repeating: 9, count: count)
            var span = chunk.mutableSpan
            playout.render(&span, heard: now, now: now)
            #expect(chunk.allSatisfy { abs($0) <= 1 })
        }
    }
}
