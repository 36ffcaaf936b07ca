import Foundation
import HelioCore
import HelioLinuxSound
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite(.serialized, .tags(.timed)) struct PulseOutputTests {
    @Test("what is rendered is played: pitch, level, no click", arguments: [48000, 44100])
    func tone(rate: Int) throws {
        let server = try PulseServer([.init("a", rate: rate)])
        let renderer = ToneRenderer(Tone(frequency: 997))
        let output = try LinuxSound(server: server.address).openOutput(device: nil, render: renderer.render)
        #expect(output.state == .playing)
        #expect(Patience().wait { renderer.frames > 4800 })
        let (samples, underruns) = try MachineStalls.measure {
            let before = output.underruns
            let samples = try server.record("a.monitor", for: .seconds(2)).drop { $0 == 0 }.dropFirst(960)
            return (samples, output.underruns - before)
        }.value
        let found = renderer.tone.find(in: Array(samples))
        #expect(abs(found.cents) < 1)
        #expect(abs(found.level) < 0.5)
        #expect(found.click < 0.02)
        #expect(underruns == 0)
        // The output increases its buffer by 5 ms after each underrun.
        #expect(output.latency > .zero && output.latency < .milliseconds(40 + 5 * Int(output.underruns)))
        output.stop()
        let asked = renderer.frames
        #expect(try server.pactl("list", "short", "sink-inputs") == "")
        #expect(renderer.frames == asked)
    }

    @Test("what is said to be heard at an instant is captured at that instant")
    func instants() throws {
        let server = try PulseServer()
        let sound = LinuxSound(server: server.address)
        let capture = try sound.openCapture(.system, device: nil)
        let output = try sound.openOutput(device: nil, render: ClickRenderer().render)
        defer { output.stop() }
        let blocks = try MachineStalls.measure {
            while case .sound = try capture.next(until: .now) {}
            return try Recording(capture).sound(.seconds(3))
        }.value
        let errors = ClickRenderer.errors(in: blocks)
        #expect((50...70).contains(errors.count))
        // Without the first clicks, which were played before the server reported its timing.
        let settled = errors.dropFirst(5).map { abs($0) }
        #expect(settled.reduce(0, +) / Double(settled.count) < 2)
        #expect(settled.max() ?? 100 < 5)
    }

    @Test("the default device changes, and the one that plays vanishes: it plays on by another")
    func moves() throws {
        let server = try PulseServer([.init("a"), .init("b")])
        let renderer = ToneRenderer(Tone(frequency: 800))
        let sound = LinuxSound(server: server.address)
        let output = try sound.openOutput(device: nil, render: renderer.render)
        defer { output.stop() }
        let recording = Recording(try sound.openCapture(.system, device: "b"))
        try server.pactl("set-default-sink", "b")
        try recording.wait(for: renderer.tone)
        let module = try server.load(.init("c"))
        let other = Recording(try sound.openCapture(.system, device: "c"))
        try server.pactl("set-default-sink", "c")
        try other.wait(for: renderer.tone)
        try server.pactl("unload-module", module)
        // The server chooses the new default among the remaining sinks.
        let next = try server.pactl("get-default-sink").trimmingCharacters(in: .whitespacesAndNewlines)
        try Recording(try sound.openCapture(.system, device: next)).wait(for: renderer.tone)
        #expect(output.state == .playing)
    }

    @Test("a device that was chosen vanishes: the default one plays")
    func chosenVanishes() throws {
        let server = try PulseServer([.init("a"), .init("b")])
        let renderer = ToneRenderer(Tone(frequency: 800))
        let sound = LinuxSound(server: server.address)
        let output = try sound.openOutput(device: "b", render: renderer.render)
        defer { output.stop() }
        try Recording(try sound.openCapture(.system, device: "b")).wait(for: renderer.tone)
        try server.pactl("unload-module", #require(try server.module(of: "b")))
        try Recording(try sound.openCapture(.system, device: "a")).wait(for: renderer.tone)
    }

    @Test("a server that dies is waited for, and played by again")
    func serverDies() throws {
        let server = try PulseServer()
        let renderer = ToneRenderer(Tone(frequency: 800))
        let sound = LinuxSound(server: server.address)
        let output = try sound.openOutput(device: nil, render: renderer.render)
        defer { output.stop() }
        server.kill()
        #expect(Patience().wait { output.state == .lost })
        try server.start()
        #expect(Patience().wait { output.state == .playing })
        try Recording(try sound.openCapture(.system, device: nil)).wait(for: renderer.tone)
    }
}
