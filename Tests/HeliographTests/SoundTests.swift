import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share` and `heliograph view` with PulseAudio at both ends: sound played at the host is recorded at the
/// viewer.
@Suite("Sound from desktop to desktop", .serialized, .timeLimit(.minutes(3)), .tags(.timed))
struct SoundTests {
    static let size = PixelSize(width: 320, height: 240)

    /// The sound part of the viewer's statistics line.
    private struct Statistics: Codable {
        struct Sound: Codable {
            var codec: String
            var device: String?
            var delay: Double?
            var packets: Int
            var gaps: Int
            var level: Double
            var isOn: Bool

            enum CodingKeys: String, CodingKey {
                case codec, device, packets, gaps, level
                case delay = "delay_ms"
                case isOn = "on"
            }
        }
        var sound: Sound?
    }

    /// Waits for new statistics that meet a condition.
    private func statistics(
        _ desktop: SharedDesktop, _ what: String, where isWanted: (Statistics.Sound?) -> Bool = { _ in true }
    ) throws -> Statistics.Sound? {
        let view = try #require(desktop.view)
        var told: Statistics.Sound?
        view.skipLines()
        try view.line(what, within: .seconds(20)) { line in
            guard line.contains("framesPerSecond") else { return false }
            told = try JSONDecoder().decode(Statistics.self, from: Data(line.utf8)).sound
            return isWanted(told)
        }
        return told
    }

    private func watched(
        _ host: PulseServer?, _ viewer: PulseServer?, share: [String] = [], view: [String] = []
    ) throws -> SharedDesktop {
        let desktop = try SharedDesktop(
            Self.size, share: share,
            environments: (
                host?.environment ?? SharedDesktop.noSound, viewer?.environment ?? SharedDesktop.noSound
            ))
        try desktop.watch(view)
        return desktop
    }

    private static func tone(_ frequency: Double = 440, seconds: Int = 20) -> [Float] {
        Tone.sine(frequency, from: 0, count: seconds * 48_000)
    }

    @Test("a tone arrives at its pitch and level, and both ends tell how it stands")
    func tone() throws {
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let desktop = try watched(host, viewer)
        try desktop.share.says("The sound is shared: this machine's sound (")
        let player = try host.play(Self.tone(), by: "a")
        try viewer.expectTone()
        // The delay is known once the clocks of both ends are.
        let sound = try #require(
            try statistics(desktop, "the tone's level and delay") { ($0?.level ?? 0) >= 0.4 && $0?.delay != nil })
        #expect(["pcm", "opus"].contains(sound.codec) && abs(sound.level - 0.5) < 0.1 && sound.isOn, "\(sound)")
        let delay = try #require(sound.delay)
        #expect(delay > 0 && delay < 250, "\(sound)")
        player.kill()
    }

    @Test("a server that dies at the viewer is told of; when it is back, sound is")
    func viewersServer() throws {
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let desktop = try watched(host, viewer)
        let player = try host.play(Self.tone(seconds: 60), by: "a")
        try viewer.expectTone()
        viewer.kill()
        let view = try #require(desktop.view)
        try view.line(with: "The sound device is gone")
        try view.goOn(for: .milliseconds(500))
        try viewer.start()
        try view.line(with: "Sound is played again")
        try viewer.expectTone()
        player.kill()
    }

    @Test("a server that dies at the host is told of; when it is back, sound is")
    func hostsServer() throws {
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let desktop = try watched(host, viewer)
        try desktop.share.says("The sound is shared")
        host.kill()
        try desktop.share.line(with: "The sound server is gone")
        try host.start()
        try desktop.share.line(with: "The sound is shared")
        let player = try host.play(Self.tone(), by: "a")
        try viewer.expectTone()
        player.kill()
    }

    @Test("a viewer without a server says so once, goes on, and nothing is captured for it")
    func silentViewer() throws {
        let host = try PulseServer()
        let player = try host.play(Self.tone(), by: "a")
        let desktop = try watched(host, nil)
        let view = try #require(desktop.view)
        try view.says("The host's sound is not played")
        try desktop.share.says("The sound is no longer shared")
        try view.goOn(for: .seconds(3))
        #expect(view.text.ranges(of: "The host's sound is not played").count == 1)
        player.kill()
    }

    @Test("a host without a server says so once, and its screen is shared all the same")
    func silentHost() throws {
        let desktop = try watched(nil, try PulseServer())
        try #require(desktop.view).goOn(for: .seconds(2))
        let word = "The screen is shared without sound"
        #expect(desktop.share.text.ranges(of: word).count == 1, "\(desktop.share.text)")
    }

    @Test("sound that is turned off is not sent, nor captured; turned on again, it is heard")
    func off() throws {
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let desktop = try watched(host, viewer)
        let player = try host.play(Self.tone(seconds: 60), by: "a")
        try viewer.expectTone()
        try desktop.destination.run("xdotool", "mousemove", "100", "100", "key", "ctrl+alt+shift+a")
        try desktop.share.line(with: "The sound is no longer shared")
        _ = try statistics(desktop, "sound that is off") { $0?.isOn == false }
        let view = try #require(desktop.view)
        // Packets in transit at that moment are included.
        try view.goOn(for: .seconds(1))
        let packets = try #require(try statistics(desktop, "sound")).packets
        try view.goOn(for: .seconds(2))
        #expect(try #require(try statistics(desktop, "sound")).packets == packets)
        try desktop.destination.run("xdotool", "key", "ctrl+alt+shift+a")
        try desktop.share.line(with: "The sound is shared")
        try viewer.expectTone()
        player.kill()
    }

    @Test("who watches with no sound is sent none; half the volume is half the level")
    func options() throws {
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let player = try host.play(Self.tone(seconds: 60), by: "a")
        let silent = try watched(host, viewer, view: ["--sound", "off"])
        try #require(silent.view).goOn(for: .seconds(2))
        #expect(!silent.share.text.contains("The sound is shared"))
        silent.share.kill()
        let desktop = try watched(host, viewer, view: ["--volume", "50"])
        try viewer.expectTone(amplitude: 0.25)
        withExtendedLifetime(desktop) {}
        player.kill()
    }

    @Test("a microphone is a stream of its own, heard beside what is played")
    func microphone() throws {
        let (host, viewer) = (try PulseServer([.init("a"), .init("mic")]), try PulseServer())
        // A monitor doesn't count as a microphone; a separate source does.
        try host.pactl("load-module", "module-remap-source", "source_name=voice", "master=mic.monitor")
        try host.pactl("set-default-source", "voice")
        let desktop = try watched(host, viewer, share: ["--sound", "mic"])
        try desktop.share.says("The sound is shared: microphone (")
        let player = try host.play(Self.tone(660), by: "mic")
        try viewer.expectTone(660)
        player.kill()
    }

    @Test("what can be captured is listed, with what can be shared")
    func list() throws {
        let host = try PulseServer()
        let desktop = try Desktop(Self.size)
        let list = try desktop.start(SharedDesktop.heliograph, ["share", "--list"], environment: host.environment)
        #expect(list.waitUntilExit() == 0)
        #expect(list.text.contains("sound: ") && list.text.contains("(a), default"), "\(list.text)")
    }
}

extension PulseServer {
    /// Records until the tone arrives as it was played.
    func expectTone(
        _ frequency: Double = 440, from source: String = "a.monitor", amplitude: Double = 0.5
    ) throws {
        var heard: (frequency: Double, amplitude: Double)?
        for _ in 0..<10 {
            heard = Tone.measure(try record(source, for: .seconds(1)))
            guard let heard, abs(heard.amplitude - amplitude) < amplitude * 0.03 else { continue }
            // A cent is 0.06 %; the clocks of two sound cards differ by less.
            #expect(abs(heard.frequency / frequency - 1) < 0.0006, "\(heard)")
            return
        }
        Issue.record("no tone of \(frequency) Hz and \(amplitude), but \(String(describing: heard))")
    }
}

extension RunningProgram {
    /// Reads until the output contains this text, unless it already does.
    func says(_ word: String) throws {
        if !text.contains(word) { try line(with: word) }
    }
}
