import Foundation
import HelioCore
import HelioLinuxSound
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite(.serialized, .tags(.timed)) struct VirtualMicrophoneTests {
    private static let name = "Anna's \"tablet\", Zoë"

    @Test("other programs see a microphone of that name and hear what is rendered; it goes when it is stopped")
    func heard() throws {
        let server = try PulseServer()
        let renderer = ToneRenderer(Tone(frequency: 997))
        let output = try LinuxSound(server: server.address)
            .openVirtualMicrophone(name: Self.name, render: renderer.render)
        #expect(output.state == .playing)
        let source = try #require(try sources(server).first)
        let description = try server.pactl("list", "sources").split(separator: "\n")
            .filter { $0.contains("Description: ") && !$0.contains("Monitor of") }
        #expect(description == ["\tDescription: Annas tablet, Zoë"])
        #expect(Patience().wait { renderer.frames > 4800 })
        let samples = try server.record(source, for: .seconds(1)).drop { $0 == 0 }.dropFirst(960)
        let found = renderer.tone.find(in: Array(samples))
        #expect(abs(found.cents) < 1)
        #expect(abs(found.level) < 0.5)
        #expect(found.click < 0.01)
        output.stop()
        #expect(try sources(server) == [])
        #expect(try !server.pactl("list", "short", "modules").contains("=heliograph_"))
    }

    @Test("what a killed program has left is taken away; one that is in use stays")
    func stale() throws {
        let server = try PulseServer()
        let sound = LinuxSound(server: server.address)
        let first = try sound.openVirtualMicrophone(name: "Anna") { _, _ in }
        let second = try sound.openVirtualMicrophone(name: "Anna") { _, _ in }
        let third = try sound.openVirtualMicrophone(name: "Änna") { _, _ in }
        let names = try sources(server)
        #expect(Set(names).count == 3)
        third.stop()
        second.stop()
        first.stop()
        // Modules as a killed program leaves them.
        let sink = String(try #require(names.first).dropLast("_microphone".count))
        _ = try server.pactl("load-module", "module-null-sink", "sink_name=\(sink)", "rate=48000")
        _ = try server.pactl(
            "load-module", "module-remap-source", "source_name=\(sink)_microphone", "master=\(sink).monitor")
        #expect(try sources(server) == [sink + "_microphone"])
        let fourth = try sound.openVirtualMicrophone(name: "Anna") { _, _ in }
        #expect(try sources(server) == [sink + "_microphone"])
        fourth.stop()
        #expect(try sources(server) == [])
    }

    @Test("a server that dies and comes back has the microphone again")
    func serverDies() throws {
        let server = try PulseServer()
        let sound = LinuxSound(server: server.address)
        let output = try sound.openVirtualMicrophone(name: "Anna") { _, _ in }
        server.kill()
        #expect(Patience().wait { output.state == .lost })
        try server.start()
        #expect(Patience().wait { output.state == .playing })
        #expect(try sources(server).count == 1)
        output.stop()
        #expect(try sources(server) == [])
    }

    @Test("a viewer's voice is not what this machine's microphone captures")
    func noEcho() throws {
        let server = try PulseServer()
        let sound = LinuxSound(server: server.address)
        let output = try sound.openVirtualMicrophone(name: "Anna") { _, _ in }
        defer { output.stop() }
        try server.pactl("set-default-source", try #require(try sources(server).first))
        #expect(try sound.captureDevices(of: .microphone) == [])
        #expect(throws: HelioError.self) { try sound.openCapture(.microphone, device: nil) }
    }

    /// Returns the sources that are not monitors.
    private func sources(_ server: PulseServer) throws -> [String] {
        try server.pactl("list", "short", "sources").split(separator: "\n")
            .map { String($0.split(separator: "\t")[1]) }.filter { !$0.hasSuffix(".monitor") }
    }
}
