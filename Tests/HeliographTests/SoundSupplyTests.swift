import HelioCore
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import Synchronization
import Testing

@testable import Heliograph

@Suite("Sound that is captured while somebody wants it", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct SoundSupplyTests {
    /// The outputs of a supply.
    private final class Heard: SoundOutlet {
        let packets = Mutex<[EncodedSound]>([])
        let captured = Mutex<[[SharedSound]]>([])
        let notes = Mutex<[String]>([])

        func submit(_ sound: EncodedSound) { packets.withLock { $0.append(sound) } }
        func captured(_ devices: [SharedSound]) { captured.withLock { $0.append(devices) } }
        func note(_ sentence: String) { notes.withLock { $0.append(sentence) } }
    }

    private func with(
        _ sharing: SoundSharing, device: String? = nil, _ body: (FakeSound, SoundSupply, Heard) async throws -> Void
    ) async throws {
        let (platform, heard) = (FakeSound(), Heard())
        let supply = try SoundSupply(sharing, device: device, of: platform)
        supply.begin(heard)
        do {
            try await body(platform, supply, heard)
        } catch {
            await supply.stop()
            throw error
        }
        await supply.stop()
    }

    @Test("nothing is captured before somebody wants it, nor after")
    func demand() async throws {
        try await with(.system) { platform, supply, heard in
            #expect(platform.history.isEmpty)
            supply.set([.system: SoundDemand(encodes: [.opus]), .microphone: SoundDemand(encodes: [.opus])])
            try await eventually("capture is open") { platform.openCapture != nil }
            #expect(platform.history == ["capture system"], "the microphone is not shared")
            let now = MonotonicClock.now
            for index in 0..<10 {
                platform.openCapture?.hear(
                    Array(repeating: 0.5, count: 960), at: now + .milliseconds(10) * index)
            }
            try await eventually("all is coded") { heard.packets.withLock { $0.count } == 20 }
            supply.set([:])
            try await eventually("capture is closed") { platform.openCapture == nil }
            try await eventually("that is told") { heard.captured.withLock { $0.count } == 2 }
            let told = heard.captured.withLock { $0 }
            #expect(told[0] == [SharedSound(input: .system, device: "Fake device")] && told[1].isEmpty)
            let statistics = try #require(supply.statistics.first)
            #expect(statistics.encodes.map(\.packets) == [20] && statistics.device == nil && statistics.drops.isEmpty)
        }
    }

    @Test("both origins are streams of their own, and either can be turned off while it runs")
    func both() async throws {
        try await with(.both) { platform, supply, heard in
            supply.set([.system: SoundDemand(encodes: [.pcm]), .microphone: SoundDemand(encodes: [.pcm])])
            try await eventually("both are captured") { heard.captured.withLock { $0.last?.count } == 2 }
            supply.share(.microphone)
            try await eventually("one is left") {
                heard.captured.withLock { $0.last } == [SharedSound(input: .microphone, device: "Fake device")]
            }
            supply.share(.off)
            try await eventually("none is") { heard.captured.withLock { $0.last } == [] }
        }
    }

    @Test("a machine without a sound server says so once")
    func none() async throws {
        let (platform, heard) = (FakeSound(), Heard())
        platform.set(hasServer: false)
        let supply = try SoundSupply(.system, device: nil, of: platform)
        supply.begin(heard)
        supply.set([.system: SoundDemand(encodes: [.pcm])])
        supply.set([:])
        supply.set([.system: SoundDemand(encodes: [.pcm])])
        await supply.stop()
        #expect(heard.notes.withLock { $0 } == ["There is no sound server. The screen is shared without sound."])
    }

    @Test("where nothing is heard, who can't do with a gap is sent silence, and sound as soon as there is some")
    func silence() async throws {
        let (platform, heard) = (FakeSound(), Heard())
        platform.set(hasServer: false)
        let supply = try SoundSupply(.system, device: nil, of: platform)
        supply.begin(heard)
        func count() -> Int { heard.packets.withLock { $0.count } }
        // A device that can't be opened.
        supply.set([.system: SoundDemand(encodes: [.opus], takesSilence: true)])
        try await eventually("silence is coded") { count() >= 20 }
        let times = heard.packets.withLock { $0.map(\.mediaTime) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 240 }, "no gap")
        supply.set([:])
        platform.set(hasServer: true)
        // A device that delivers nothing.
        supply.set([.system: SoundDemand(encodes: [.opus], takesSilence: true)])
        try await eventually("capture is open") { platform.openCapture != nil }
        let before = count()
        try await eventually("silence is coded") { count() >= before + 20 }
        platform.openCapture?.hear(Array(repeating: 0.5, count: 960 * 20), at: MonotonicClock.now)
        let filled = count()
        try await eventually("sound is coded") { count() >= filled + 20 }
        await supply.stop()
    }

    @Test("a server that goes and comes back is told of, and sound goes on")
    func returns() async throws {
        try await with(.system) { platform, supply, heard in
            supply.set([.system: SoundDemand(encodes: [.pcm])])
            try await eventually("capture is open") { platform.openCapture != nil }
            platform.set(hasServer: false)
            try await eventually("none is captured") { heard.captured.withLock { $0.last } == [] }
            platform.set(hasServer: true)
            try await eventually("it is captured again") { heard.captured.withLock { $0.last?.count } == 1 }
            try await eventually("both were told of") { heard.notes.withLock { $0.count } == 2 }
        }
    }

    @Test("a device is chosen by its name, and one that is not there is an error that lists those that are")
    func devices() throws {
        #expect(throws: Never.self) { try SoundSupply(.both, device: "Fake device", of: FakeSound()) }
        #expect(throws: Never.self) { try SoundSupply(.system, device: FakeSound.device, of: FakeSound()) }
        let error = #expect(throws: HelioError.self) { try SoundSupply(.system, device: "other", of: FakeSound()) }
        #expect(error?.code == .invalidArgument && error?.message.contains("There are: Fake device.") == true)
    }
}
