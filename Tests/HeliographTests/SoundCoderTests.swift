import HelioCore
import Testing

@testable import HelioSound

@Suite("Sound cut into packets")
struct SoundCoderTests {
    /// A coder with simulated encoders, and its output.
    private final class World {
        var sent: [EncodedSound] = []
        var notes: [String] = []
        let sound = FakeSound()
        private(set) var coder: SoundCoder!
        /// The capture time of the next sample.
        var now = Instant(nanoseconds: 1_000_000_000)

        init() {
            let sound = sound
            coder = SoundCoder(
                .system, makeEncoder: { encode throws(HelioError) in try sound.makeEncoder(encode) },
                put: { [unowned self] in sent.append($0) }, note: { [unowned self] in notes.append($0) })
        }

        /// Captures this many milliseconds, ten at a time.
        func hear(_ milliseconds: Int, level: Float = 0.5, format: SoundFormat = .standard) {
            for _ in 0..<milliseconds / 10 {
                let frames = format.sampleRate / 100
                coder.take(
                    SoundBlock(
                        format: format, samples: Array(repeating: level, count: frames * format.channels), captured: now
                    ))
                now = now + .milliseconds(10)
            }
        }

        func times(of encode: SoundEncode) -> [Int64] { sent.filter { $0.encode == encode }.map(\.mediaTime) }
    }

    @Test("each encode has packets of its own length, all by one clock and with the instant of each first sample")
    func cuts() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm, .opus, .thinOpus]))
        world.hear(100)
        #expect(world.times(of: .pcm).count == 20 && world.times(of: .opus).count == 20)
        #expect(world.times(of: .thinOpus).count == 5)
        let first = try #require(world.sent.first)
        // The stream's clock starts with the machine's: a second has 48,000 frames.
        #expect(first.mediaTime == 48_000 && first.beginsTalk)
        for packet in world.sent {
            let since = Duration.nanoseconds((packet.mediaTime - 48_000) * 1_000_000 / 48)
            #expect(packet.captured - (Instant(nanoseconds: 1_000_000_000) + since) == .zero)
            #expect(packet.frames == (packet.encode == .thinOpus ? 960 : 240))
        }
        for encode in [SoundEncode.pcm, .opus, .thinOpus] {
            let times = world.times(of: encode)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == (encode == .thinOpus ? 960 : 240) })
            #expect(world.sent.count { $0.encode == encode && $0.beginsTalk } == 1)
        }
        #expect(world.coder.packets[.pcm] == 20 && world.coder.drops.total == 0)
    }

    @Test("what an encoder delays is taken off its times, so that all encodes line up")
    func linesUp() throws {
        let world = World()
        world.sound.encoderDelay = 312
        world.coder.set(SoundDemand(encodes: [.pcm, .opus]))
        world.hear(20)
        let (pcm, opus) = (try #require(world.times(of: .pcm).first), try #require(world.times(of: .opus).first))
        #expect(opus == pcm - 312)
        let delayed = try #require(world.sent.first { $0.encode == .opus })
        #expect(delayed.captured < Instant(nanoseconds: 1_000_000_000))
    }

    @Test("silence is not sent once it lasts, and what comes after it says so")
    func silence() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.opus]))
        world.hear(50)
        world.hear(1000, level: 0)
        let quiet = world.sent.count
        #expect((49...51).contains(quiet), "50 ms of sound and 200 ms of silence: \(quiet)")
        world.hear(100)
        #expect(world.sent.count == quiet + 20)
        #expect(world.sent[quiet].beginsTalk && !world.sent[quiet + 1].beginsTalk)
        // The media time includes the silence that was not sent.
        #expect(world.sent[quiet].mediaTime == 48_000 + 1050 * 48)
    }

    @Test("silence is sent for those who take no break for silence, as long as they are there")
    func takenSilence() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.opus], takesSilence: true))
        world.hear(1000, level: 0)
        #expect(world.sent.count == 200 && world.sent.dropFirst().allSatisfy { !$0.beginsTalk })
        world.coder.set(SoundDemand(encodes: [.opus]))
        world.hear(1000, level: 0)
        #expect(world.sent.count == 200)
    }

    @Test("a gap in what is captured is one in the stream's time, and capture that begins anew never goes back")
    func gaps() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm]))
        world.hear(100)
        // A gap that a device reports, and then one that it doesn't.
        world.coder.interrupt()
        world.now = world.now + .milliseconds(300)
        world.hear(50)
        var times = world.times(of: .pcm)
        #expect(times[20] - times[19] == 240 + 14_400)
        #expect(world.sent[20].beginsTalk)
        world.now = world.now + .milliseconds(200)
        world.hear(600)
        times = world.times(of: .pcm)
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        let gaps: [Int64] = steps.filter { $0 != 240 }
        let expected: [Int64] = [14_640, 9840]
        #expect(gaps == expected)
        let last = try #require(world.sent.last)
        #expect(abs((last.captured - world.now).nanoseconds + 5_000_000) < 1_000_000)
        #expect(last.mediaTime == 48_000 + 1245 * 48)

        world.coder.interrupt()
        world.now = world.now - .seconds(5)
        world.hear(50)
        world.coder.set(.none)
        world.hear(1000)
        world.coder.set(SoundDemand(encodes: [.pcm]))
        world.hear(10)
        #expect(world.times(of: .pcm) == world.times(of: .pcm).sorted())
    }

    @Test(
        "a device whose word of the time is off now and then, to either side, moves nothing", arguments: [15, 39, 120])
    func uneven(milliseconds: Int) {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm]))
        let off = Duration.milliseconds(milliseconds)
        for index in 0..<300 {
            // The times are late for fifty milliseconds, and early for as long.
            let word = index % 20 < 5 ? off : index % 20 < 10 ? .zero - off : .zero
            world.now = world.now + word
            world.hear(10)
            world.now = world.now - word
        }
        let times = world.times(of: .pcm)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 240 })
        for packet in world.sent.dropFirst(100) {
            let truth = Instant(nanoseconds: packet.mediaTime * 1_000_000 / 48)
            #expect(abs((packet.captured - truth).nanoseconds) < 30_000_000)
        }
    }

    @Test("an encode that nobody wants any more is not made, another begins where sound is")
    func changes() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm]))
        world.hear(100)
        world.coder.set(SoundDemand(encodes: [.opus], lossShare: 0.1))
        world.hear(100)
        #expect(world.times(of: .pcm).count == 20 && world.times(of: .opus).count == 20)
        #expect(try #require(world.times(of: .opus).first) == 52_800)
    }

    @Test("an encoder that fails loses packets, which are counted; one that fails on is given up, and told of")
    func fails() {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.opus]))
        world.hear(50)
        world.sound.fail(packets: 3)
        world.hear(50)
        #expect(world.sent.count == 17 && world.coder.drops[.failed] == 3 && world.notes.isEmpty)
        world.sound.fail(packets: 1000)
        world.hear(100)
        #expect(world.coder.drops[.failed] == 13 && world.notes.count == 1, "\(world.notes)")
        world.sound.fail(packets: 0)
        world.hear(100)
        #expect(world.sent.count == 17)
        world.coder.set(.none)
        world.coder.set(SoundDemand(encodes: [.opus]))
        world.hear(50)
        #expect(world.sent.count == 27)
    }

    @Test("an encode without an encoder is told of, and others are made all the same")
    func missing() {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.aac, .opus]))
        world.hear(50)
        #expect(world.sent.count == 10 && world.coder.drops[.missing] == 1)
        #expect(world.notes == ["Sound is not coded as aac: There is no AAC in memory."])
    }

    @Test(
        "sound of another format is converted: as long, and as loud",
        arguments: [
            SoundFormat(sampleRate: 44_100, channels: 2), SoundFormat(sampleRate: 44_100, channels: 1),
            SoundFormat(sampleRate: 96_000, channels: 2), SoundFormat(sampleRate: 16_000, channels: 1),
        ])
    func converts(_ format: SoundFormat) throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm]))
        world.hear(1000, level: 0.25, format: format)
        // All packets except for the samples that the filter still delays.
        #expect((198...200).contains(world.sent.count), "\(world.sent.count)")
        for packet in world.sent.dropFirst(4) {
            for index in stride(from: 0, to: packet.payload.count, by: 2) {
                let value = Int16(bitPattern: UInt16(packet.payload[index]) << 8 | UInt16(packet.payload[index + 1]))
                #expect(abs(Int(value) - 8192) < 12)
            }
        }
        for (index, packet) in world.sent.enumerated() {
            let expected = Instant(nanoseconds: 1_000_000_000) + .milliseconds(5) * index
            #expect(abs((packet.captured - expected).nanoseconds) < 1_000_000)
        }
    }

    @Test("blocks that no device gives are dropped, and counted")
    func hostile() {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.pcm]))
        let blocks = [
            SoundBlock(format: .standard, samples: [], captured: world.now),
            SoundBlock(format: .standard, samples: Array(repeating: 0.5, count: 200_000), captured: world.now),
            SoundBlock(format: SoundFormat(sampleRate: 10, channels: 2), samples: [0, 0], captured: world.now),
            SoundBlock(
                format: SoundFormat(sampleRate: 48_000, channels: 6), samples: [0, 0, 0, 0, 0, 0], captured: world.now),
        ]
        for block in blocks { world.coder.take(block) }
        #expect(world.sent.isEmpty && world.coder.drops[.tooLong] == 1 && world.coder.drops[.strange] == 2)
    }

    @Test("packets that are coded already go out as each wanted encode of their codec")
    func passes() throws {
        let world = World()
        world.coder.set(SoundDemand(encodes: [.opus, .thinOpus, .pcm]))
        for index in 0..<3 {
            #expect(
                world.coder.pass(
                    [1, 2, 3], codec: .opus, frames: 480, captured: world.now + .milliseconds(10) * index))
        }
        #expect(world.sent.count == 6 && world.times(of: .opus) == [48_000, 48_480, 48_960])
        #expect(world.sent.count { $0.beginsTalk } == 2)
        #expect(!world.coder.pass([1], codec: .aac, frames: 1024, captured: world.now))
        #expect(world.coder.drops[.unwanted] == 1)
    }
}
