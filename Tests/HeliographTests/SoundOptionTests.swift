import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// The command-line options of sound, and the errors of invalid combinations.
@Suite("The options of sound", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SoundOptionTests {
    private func run(_ arguments: [String]) throws -> (status: Int32, text: String) {
        let home = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        let desktop = try Desktop(PixelSize(width: 64, height: 64))
        let program = try desktop.start(
            SharedDesktop.heliograph, arguments,
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": home.path]) { $1 })
        return (program.waitUntilExit(), program.text)
    }

    @Test(
        "what an option does not know is said, with what it knows",
        arguments: [
            (["share", "--sound", "loud"], "--sound loud: give system, mic, both or off."),
            (["share", "--sound", ""], "--sound : give system, mic, both or off."),
            (["share", "--sound", "microphone"], "--sound microphone: give system, mic, both or off."),
            (["share", "--sound", "off", "--sound-device", "x"], "Leave one of them out."),
            (["share", "--stream-sound", "mp3"], "--stream-sound mp3: give aac, opus, pcm or off."),
            (["view", "x", "--sound", "maybe"], "--sound maybe: give on or off."),
            (["view", "x", "--volume", "101"], "--volume 101: give a number from 0 to 100."),
            (["view", "x", "--volume=-1"], "--volume -1: give a number from 0 to 100."),
            (["view", "x", "--sync", "late"], "--sync late: give auto, in-step or immediate."),
        ] as [([String], String)])
    func refusals(_ arguments: [String], says: String) throws {
        let (status, text) = try run(arguments)
        #expect(status != 0 && text.contains(says), "\(text)")
    }

    @Test("a device by name needs a sound server, and that is said")
    func noServer() throws {
        for arguments in [["share", "--port", "0", "--no-discovery", "--sound-device", "x"], ["share", "--list"]] {
            let (status, text) = try run(arguments)
            #expect(text.contains("no PulseAudio or PipeWire runs for this user"), "\(text)")
            #expect((status == 0) == arguments.contains("--list"), "\(text)")
        }
    }

    @Test("the options' words are those of the library, and what is shared by default is what the machine plays")
    func words() {
        #expect(SoundSharing.allCases.map(\.rawValue) == ["off", "system", "microphone", "both"])
        #expect(MirrorSource.Options().sound == .system && MirrorSource.Options().soundDevice == nil)
        #expect(Viewer.Sync.allCases.map(\.rawValue) == ["auto", "immediate", "in-step"])
        #expect(Viewer.Options().sound && Viewer.Options().volume == 1 && Viewer.Options().sync == .auto)
    }
}
