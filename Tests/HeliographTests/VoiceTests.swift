import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share --hear` and `heliograph view --mic` with PulseAudio at both ends: sound of the viewer's microphone
/// is recorded from a microphone at the host.
@Suite("A viewer's voice at the host", .serialized, .timeLimit(.minutes(3)), .tags(.timed))
struct VoiceTests {
    /// A viewer's sound server: sound played to `mic` is captured by its microphone.
    private static func viewersMachine() throws -> PulseServer {
        let server = try PulseServer([.init("a"), .init("mic")])
        // A monitor doesn't count as a microphone; a separate source does.
        try server.pactl("load-module", "module-remap-source", "source_name=voice", "master=mic.monitor")
        try server.pactl("set-default-source", "voice")
        return server
    }

    private static func tone(_ frequency: Double, seconds: Int = 60) -> [Float] {
        Tone.sine(frequency, from: 0, count: seconds * 48_000)
    }

    /// The name of the host's virtual microphone; `nil` if there is none.
    private static func microphone(at host: PulseServer) throws -> String? {
        try host.pactl("list", "short", "sources").split(separator: "\n")
            .map { $0.split(separator: "\t") }.first {
                $0.count > 1 && $0[1].hasPrefix("heliograph_") && !$0[1].hasSuffix(".monitor")
            }
            .map { String($0[1]) }
    }

    private static func watched(
        _ host: PulseServer, _ viewer: PulseServer, share: [String] = ["--hear"], view: [String]
    ) throws -> SharedDesktop {
        let desktop = try SharedDesktop(
            SoundTests.size, share: share, environments: (host.environment, viewer.environment))
        try desktop.watch(view)
        return desktop
    }

    @Test("it is a microphone of the host's, at its pitch and level; both ends tell, and a key turns it off")
    func heard() throws {
        let (host, viewer) = (try PulseServer(), try Self.viewersMachine())
        let desktop = try Self.watched(host, viewer, view: ["--mic", "--headset"])
        let view = try #require(desktop.view)
        let speaker = try viewer.play(Self.tone(660), by: "mic")
        try view.says("The host hears your microphone (")
        try desktop.share.says("is heard by its microphone")
        let microphone = try #require(try Self.microphone(at: host))
        try host.expectTone(660, from: microphone)
        // Viewers don't hear themselves in the host's sound.
        let played = try viewer.record("a.monitor", for: .seconds(1))
        #expect(played.allSatisfy { abs($0) < 0.001 })

        try desktop.destination.run("xdotool", "mousemove", "100", "100", "key", "ctrl+alt+shift+v")
        try desktop.share.line(with: "is not heard any more")
        #expect(try host.record(microphone, for: .seconds(1)).allSatisfy { abs($0) < 0.001 })
        try desktop.destination.run("xdotool", "key", "ctrl+alt+shift+v")
        try desktop.share.line(with: "is heard by its microphone")
        try host.expectTone(660, from: microphone)
        speaker.kill()
    }

    @Test("where loudspeakers play, it waits until the host's sound has ended")
    func halfDuplex() throws {
        let (host, viewer) = (try PulseServer(), try Self.viewersMachine())
        let desktop = try Self.watched(host, viewer, view: ["--mic"])
        let speaker = try viewer.play(Self.tone(660), by: "mic")
        try desktop.share.says("is heard by its microphone")
        let microphone = try #require(try Self.microphone(at: host))
        try host.expectTone(660, from: microphone)
        let player = try host.play(Self.tone(440), by: "a")
        try viewer.expectTone(440)
        #expect(try host.record(microphone, for: .seconds(1)).allSatisfy { abs($0) < 0.001 })
        player.kill()
        try host.expectTone(660, from: microphone)
        speaker.kill()
    }

    @Test("a host that was not asked to hear viewers hears none, has no such microphone, and the viewer is told")
    func unheard() throws {
        let (host, viewer) = (try PulseServer(), try Self.viewersMachine())
        let desktop = try Self.watched(host, viewer, share: [], view: ["--mic"])
        try #require(desktop.view).says("The host does not hear viewers")
        try #require(desktop.view).goOn(for: .seconds(2))
        #expect(try Self.microphone(at: host) == nil)
        #expect(!desktop.share.text.contains("is heard"))
        // At the viewer, only the test's remapped microphone records.
        #expect(try viewer.pactl("list", "short", "source-outputs").split(separator: "\n").count == 1)
    }

    @Test("the microphone is gone with the host; without a sound server there is none to be made, which is said")
    func end() throws {
        let (host, viewer) = (try PulseServer(), try Self.viewersMachine())
        let desktop = try Self.watched(host, viewer, view: ["--mic"])
        #expect(try Self.microphone(at: host) != nil)
        desktop.share.kill(SIGTERM)
        _ = desktop.share.waitUntilExit()
        #expect(try Self.microphone(at: host) == nil)
        let silent = try Desktop(SoundTests.size)
        let share = try silent.start(
            SharedDesktop.heliograph,
            ["share", "--address", "127.0.0.1", "--port", "0", "--hear", "--no-discovery"],
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": desktop.folder.path + "/silent"]) { $1 })
        #expect(share.waitUntilExit() != 0)
        #expect(share.text.contains("Viewers can't be heard: "), "\(share.text)")
    }
}
