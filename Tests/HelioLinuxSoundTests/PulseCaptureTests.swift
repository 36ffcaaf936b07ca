import Foundation
import HelioCore
import HelioLinuxSound
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite(.serialized, .tags(.timed)) struct PulseCaptureTests {
    @Test("what is played is captured: pitch, level, no click, at steady instants")
    func tone() throws {
        let server = try PulseServer()
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        #expect(!capture.deviceName.isEmpty)
        let tone = Tone(frequency: 997)
        let player = try server.play(tone.samples(frames: 48000 * 8), by: "a")
        defer { withExtendedLifetime(player) {} }
        let recording = Recording(capture)
        try recording.wait(for: tone)
        let blocks = try recording.sound(.seconds(2))
        let found = tone.find(in: blocks.flatMap(\.samples))
        #expect(abs(found.cents) < 0.1)
        #expect(abs(found.level) < 0.1)
        #expect(found.noise > 60)
        // The sink has a resolution of 16 bits.
        #expect(found.click < 0.001)
        for (block, next) in zip(blocks, blocks.dropFirst()) {
            #expect(next.captured > block.captured)
            #expect(abs((next.captured - block.captured - block.duration).milliseconds) < 0.5)
        }
        #expect(capture.overrunFrames == 0)
    }

    @Test("another sink becomes the default one: its sound is captured from then on")
    func followsDefault() throws {
        let server = try PulseServer([.init("a"), .init("b")])
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        let tones = [Tone(frequency: 500), Tone(frequency: 800)]
        let players = try zip(tones, ["a", "b"]).map { try server.play($0.samples(frames: 48000 * 20), by: $1) }
        defer { withExtendedLifetime(players) {} }
        let recording = Recording(capture)
        try recording.wait(for: tones[0])
        // Otherwise the server would move the first player's stream to the new default sink, beside the second.
        players[0].kill()
        try server.pactl("set-default-sink", "b")
        try recording.wait { if case .deviceChanged = $0 { true } else { false } }
        try recording.wait(for: tones[1])
    }

    @Test("a sink that vanishes, and the last one, and one that comes")
    func vanishes() throws {
        let server = try PulseServer([.init("a"), .init("b")])
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        let recording = Recording(capture)
        let tone = Tone(frequency: 800)
        let player = try server.play(tone.samples(frames: 48000 * 20), by: "b")
        defer { withExtendedLifetime(player) {} }
        try server.pactl("unload-module", #require(try server.module(of: "a")))
        try recording.wait { if case .deviceChanged = $0 { true } else { false } }
        try recording.wait(for: tone)
        try server.pactl("unload-module", #require(try server.module(of: "b")))
        try recording.wait { if case .deviceLost = $0 { true } else { false } }
        _ = try server.load(.init("c"))
        try recording.wait { if case .deviceChanged = $0 { true } else { false } }
    }

    @Test("a server that dies is waited for, and comes back")
    func serverDies() throws {
        let server = try PulseServer()
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        let recording = Recording(capture)
        server.kill()
        try recording.wait { if case .deviceLost = $0 { true } else { false } }
        try server.start()
        try recording.wait { if case .deviceChanged = $0 { true } else { false } }
        let tone = Tone(frequency: 800)
        let player = try server.play(tone.samples(frames: 48000 * 20), by: "a")
        defer { withExtendedLifetime(player) {} }
        try recording.wait(for: tone)
    }

    @Test("without a server it is said at once that there is no sound")
    func noServer() {
        let sound = LinuxSound(server: "unix:/tmp/heliograph-no-such-server")
        let patience = Patience(.seconds(2))
        for open: () throws -> Void in [
            { _ = try sound.openCapture(.system, device: nil) },
            { _ = try sound.openOutput(device: nil) { _, _ in } },
            { _ = try sound.openVirtualMicrophone(name: "Anna") { _, _ in } },
            { _ = try sound.outputDevices() },
        ] {
            let error = #expect(throws: HelioError.self) { try open() }
            #expect(error?.code == .unsupported)
        }
        #expect(!patience.isOver)
    }

    @Test("devices by name, and a machine without a microphone")
    func devices() throws {
        let server = try PulseServer([.init("a"), .init("b")])
        let sound = LinuxSound(server: server.address)
        let outputs = try sound.outputDevices()
        #expect(outputs.map(\.id).sorted() == ["a", "b"])
        #expect(outputs.filter(\.isDefault).map(\.id) == ["a"])
        #expect(try sound.captureDevices(of: .system) == outputs)
        #expect(try sound.captureDevices(of: .microphone) == [])
        #expect(throws: HelioError.self) { try sound.openCapture(.system, device: "c") }
        #expect(throws: HelioError.self) { try sound.openOutput(device: "c") { _, _ in } }
        // The default source is a monitor, which is no microphone.
        let error = #expect(throws: HelioError.self) { try sound.openCapture(.microphone, device: nil) }
        #expect(error?.code == .unsupported)

        let capture = try sound.openCapture(.system, device: "b")
        let tone = Tone(frequency: 800)
        let player = try server.play(tone.samples(frames: 48000 * 20), by: "b")
        defer { withExtendedLifetime(player) {} }
        try Recording(capture).wait(for: tone)
    }

    @Test("a waker ends a wait, from any thread, also before it begins")
    func waker() throws {
        let server = try PulseServer()
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        capture.waker()
        guard case .woken = try capture.next(until: nil) else {
            Issue.record("it was not woken")
            return
        }
        let waker = capture.waker
        Thread.detachNewThread { waker() }
        try Recording(capture).wait { if case .woken = $0 { true } else { false } }
    }

    @Test("sound that nobody takes is lost and counted")
    func overrun() throws {
        let server = try PulseServer()
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        let patience = Patience(.seconds(10))
        #expect(patience.wait { capture.overrunFrames > 4800 })
        // One second of sound is buffered.
        var frames = 0
        while case .sound(let block) = try capture.next(until: .now) { frames += block.frames }
        #expect((43200...52800).contains(frames))
    }

    @Test("a sink at 44.1 kHz: the pitch is right to a cent")
    func rate() throws {
        let server = try PulseServer([.init("a", rate: 44100)])
        let capture = try LinuxSound(server: server.address).openCapture(.system, device: nil)
        let tone = Tone(frequency: 997)
        let player = try server.play(tone.samples(frames: 48000 * 8), by: "a")
        defer { withExtendedLifetime(player) {} }
        let recording = Recording(capture)
        try recording.wait(for: tone)
        let found = tone.find(in: try recording.sound(.seconds(2)).flatMap(\.samples))
        #expect(abs(found.cents) < 1)
        #expect(abs(found.level) < 0.5)
        #expect(found.click < 0.02)
    }
}
