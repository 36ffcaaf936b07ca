import Foundation
import HelioCore
import HelioGround
import HelioPlayout
import HelioTestLanes
import HelioTestPrograms
import Synchronization
import Testing

@testable import HelioSound

@Suite("Sound that is played", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct SoundPlayerTests {
    private final class Wishes: Sendable {
        private let all = Mutex<[Bool]>([])
        var list: [Bool] { all.withLock { $0 } }
        func add(_ wish: Bool) { all.withLock { $0.append(wish) } }
    }

    /// A player with a simulated device, and its events.
    private final class World {
        let platform = FakeSound()
        let wanted = Wishes()
        private(set) var player: SoundPlayer!
        private(set) var notes: [String] = []
        private var sequence: UInt64 = 0
        private var time = 0

        init(hasServer: Bool = true, isOn: Bool = true, rest: Duration = .seconds(10)) {
            platform.set(hasServer: hasServer)
            player = SoundPlayer(
                of: platform, device: nil, isOn: isOn, volume: 1,
                times: .init(rest: rest, retry: .milliseconds(50), looking: .milliseconds(20)), bell: {},
                wantedChanged: { [wanted] in wanted.add($0) })
        }

        deinit { player.stop() }

        /// Receives five milliseconds of a tone.
        func receive(_ frequency: Double = 440, origin: SoundOrigin = .system, codec: SoundCodec = .pcm) {
            let payload = Tone.sine(frequency, from: time, count: 240).flatMap { sample -> [UInt8] in
                let value = UInt16(bitPattern: Int16(sample * 32767))
                return [UInt8(value >> 8), UInt8(value & 255)]
            }
            let now = MonotonicClock.now
            player.take(
                .packet(
                    ReceivedSound(
                        origin: origin, codec: codec, payload: payload, sequence: ExtendedSequence(1000 + sequence),
                        mediaTime: Int64(time), beginsTalk: sequence == 0, arrival: now)))
            player.take(.clock(SoundClock(origin: origin, mediaTime: Int64(time), captured: now)))
            sequence += 1
            time += 240
        }

        /// Receives and plays in turn, by both ends' clocks; returns the played samples.
        func run(_ duration: Duration, _ frequency: Double = 440) async throws -> [Float] {
            let began = MonotonicClock.now
            receive(frequency)
            try await eventually("the device is open") { platform.openOutput != nil }
            let output = try #require(platform.openOutput)
            var played: [Float] = []
            let start = MonotonicClock.now
            // The source's time has advanced meanwhile.
            time += Int((start - began).nanoseconds / 1_000_000) * 48
            for step in 1...Int(duration / .milliseconds(5)) {
                let due = start + .milliseconds(5) * step
                while MonotonicClock.now < due { try await Task.sleep(for: .milliseconds(1)) }
                receive(frequency)
                played += output.play(240, heard: due + output.latency)
            }
            return played
        }

        func takeNotes() { notes += player.takeNotes() }
    }

    @Test("a tone comes out at its pitch and level, without a gap; its figures are told")
    func tone() async throws {
        let world = World()
        let played = try await world.run(.seconds(2))
        let rest = Array(played.suffix(96_000))
        let heard = try #require(Tone.measure(rest))
        #expect(abs(heard.frequency - 440) < 1 && abs(heard.amplitude - 0.5) < 0.02, "\(heard)")
        let report = world.player.mixer.report
        let stream = try #require(report.streams.first)
        #expect(stream.codec == .pcm && stream.packets > 300 && stream.lost == 0, "\(stream)")
        #expect(abs(report.level - 0.5) < 0.05, "\(report)")
        let presented = try #require(report.presented)
        let delay = presented.heard - presented.captured
        #expect(delay > .zero && delay < .milliseconds(500), "\(delay)")
        #expect(world.player.status.device == "Fake device" && world.player.takeNotes().isEmpty)
    }

    @Test("nothing is open before there is sound, nor long after")
    func rests() async throws {
        let world = World(rest: .milliseconds(100))
        #expect(world.platform.history.isEmpty)
        world.receive()
        try await eventually("the device is open") { world.platform.openOutput != nil }
        try await eventually("it is let go of") { world.platform.openOutput == nil }
        world.receive()
        try await eventually("it is open again") { world.platform.openOutput != nil }
        #expect(world.platform.history == ["output", "output"] && world.wanted.list.isEmpty)
    }

    @Test("a machine without a sound server says so once, and wants no sound until there is one")
    func noServer() async throws {
        let world = World(hasServer: false)
        world.receive()
        try await eventually("no sound is wanted") { world.wanted.list == [false] }
        #expect(!world.player.isWanted && world.player.isHeard)
        try await eventually("that is told") {
            world.takeNotes()
            return !world.notes.isEmpty
        }
        #expect(world.notes == ["There is no sound server. The host's sound is not played."])
        world.platform.set(hasServer: true)
        try await eventually("sound is wanted") { world.wanted.list == [false, true] }
        world.takeNotes()
        #expect(world.notes.dropFirst() == ["Sound is played by Fake device."])
    }

    @Test("a device that vanishes and comes back is told of")
    func vanishes() async throws {
        let world = World()
        world.receive()
        try await eventually("the device is open") { world.platform.openOutput != nil }
        world.platform.set(hasServer: false)
        try await eventually("that is told") {
            world.takeNotes()
            return world.notes.count == 1
        }
        #expect(world.player.status.device == nil)
        world.platform.set(hasServer: true)
        try await eventually("its return is told") {
            world.takeNotes()
            return world.notes.count == 2
        }
        #expect(world.notes[1] == "Sound is played again, by Fake device.")
        #expect(world.platform.history == ["output"], "it was kept")
    }

    @Test("sound that is turned off is not wanted, and the device is let go of")
    func off() async throws {
        let world = World()
        world.receive()
        try await eventually("the device is open") { world.platform.openOutput != nil }
        world.player.turn(on: false)
        try await eventually("it is let go of") { world.platform.openOutput == nil }
        world.player.turn(on: true)
        world.receive()
        try await eventually("it is open again") { world.platform.openOutput != nil }
        #expect(world.wanted.list == [false, true] && world.player.takeNotes().isEmpty)
    }

    @Test("packets that no device is there for are bounded, and counted")
    func bounded() {
        let world = World(hasServer: false)
        for _ in 0..<2000 { world.receive() }
        let dropped = world.player.mixer.allDrops["sound-without-output"] ?? 0
        #expect((1400...2000).contains(dropped), "\(dropped)")
    }

    @Test("two origins are heard together")
    func mixed() async throws {
        let world = World()
        world.receive()
        try await eventually("the device is open") { world.platform.openOutput != nil }
        let output = try #require(world.platform.openOutput)
        world.receive(origin: .microphone)
        _ = output.play(240, heard: MonotonicClock.now)
        _ = output.play(240, heard: MonotonicClock.now)
        try await eventually("both are told") {
            _ = output.play(240, heard: MonotonicClock.now)
            return world.player.mixer.report.streams.count == 2
        }
        #expect(world.player.mixer.report.streams.allSatisfy { $0.packets == 1 })
    }
}
