import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share --record` and `heliograph view --record`, with files played by FFmpeg.
@Suite("Recording", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct RecordingTests {
    static let size = PixelSize(width: 320, height: 240)

    /// The parts of either program's statistics line that the tests use.
    private struct Statistics: Codable {
        struct Recording: Codable {
            var state: String
            var path: String
            var seconds: Double
            var bytes: Int
            var pictures: Int
            var soundPackets: Int
            var drops: [String: Int]
        }
        var recording: Recording?
    }

    private final class Folder {
        let path = NSTemporaryDirectory() + "/heliograph-record-\(UUID().uuidString)"
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        func file(_ name: String) -> String { path + "/" + name }
    }

    /// Waits until the recording has this length.
    private func wait(for seconds: Double, of program: RunningProgram) throws -> Statistics.Recording {
        var told: Statistics.Recording?
        program.skipLines()
        try program.line("a recording of \(seconds) s") { line in
            guard line.contains("\"recording\"") else { return false }
            told = try JSONDecoder().decode(Statistics.self, from: Data(line.utf8)).recording
            return told.map { $0.state == "recording" && $0.seconds >= seconds } ?? false
        }
        return try #require(told)
    }

    private func duration(of file: String, track: String) throws -> Double {
        let text = String(
            decoding: try Tool.run(
                ["ffprobe", "-v", "error", "-select_streams", track, "-show_entries", "packet=pts_time"]
                    + ["-of", "csv=p=0", file]), as: UTF8.self)
        return text.split(whereSeparator: { "\n,".contains($0) }).compactMap { Double($0) }.max() ?? 0
    }

    /// Returns FFmpeg's messages while it plays a file. Uses the file's timestamps: at FFmpeg's guessed output frame
    /// rate, two close pictures would get the same time, which causes a warning.
    private func complaints(about file: String) throws -> String {
        String(
            decoding: try Tool.run(
                ["ffmpeg", "-v", "warning", "-i", file, "-enc_time_base", "-1", "-f", "null", "-"], errors: true),
            as: UTF8.self)
    }

    private func lastPicture(of file: String, _ size: PixelSize) throws -> Screenshot {
        let data = try Tool.run(
            ["ffmpeg", "-v", "error", "-i", file, "-map", "0:v", "-fps_mode", "passthrough"]
                + ["-pix_fmt", "bgr0", "-f", "rawvideo", "-"])
        return Screenshot(size: size, bgrx: [UInt8](data.suffix(size.area * 4)))
    }

    /// The mean level of the file's sound, in dB.
    private func loudness(of file: String) throws -> Double {
        let text = String(
            decoding: try Tool.run(
                ["ffmpeg", "-v", "info", "-i", file, "-map", "0:a", "-af", "volumedetect", "-f", "null", "-"],
                errors: true), as: UTF8.self)
        let number = text.components(separatedBy: "max_volume: ").dropFirst().first?.prefix {
            "-.0123456789".contains($0)
        }
        return number.flatMap { Double($0) } ?? -200
    }

    @Test(
        "what a killed host has recorded plays up to its last two seconds, viewers or not", arguments: ["mp4", "mkv"],
        ["off", "system"])
    func killed(ending: String, sound: String) throws {
        let folder = try Folder()
        let file = folder.file("take.\(ending)")
        let desktop = try SharedDesktop(
            Self.size, share: ["--record", file, "--sound", sound] + SharedDesktop.statistics)
        let moving = try MovingPicture(on: desktop.source, Self.size)
        _ = try wait(for: 2, of: desktop.share)
        try desktop.watch()
        moving.stop()
        desktop.source.fill([
            (0x20_60A0, PixelRect(Self.size)), (0xE0_E0E0, PixelRect(x: 80, y: 60, width: 120, height: 90)),
        ])
        // Long enough for the refinement of the picture, and for the part that is lost.
        var told = try wait(for: 2, of: desktop.share)
        told = try wait(for: told.seconds + 4, of: desktop.share)
        desktop.share.kill(SIGKILL)
        _ = desktop.share.waitUntilExit()
        // A sound track, even of silence, determines how long the last picture stays.
        #expect(try duration(of: file, track: sound == "off" ? "v:0" : "a:0") > told.seconds - 2)
        // The program may have been killed within a fragment, of which players warn; they play everything before it.
        let likeness = try lastPicture(of: file, Self.size).psnr(try desktop.source.screenshot(Self.size))
        #expect(likeness > 30, "\(likeness) dB")
        #expect(told.drops == [:])
    }

    @Test("picture and sound at both ends, ended in good order")
    func bothEnds() throws {
        let folder = try Folder()
        let (hosts, viewers) = (folder.file("host.mp4"), folder.file("viewer.mkv"))
        let (host, viewer) = (try PulseServer(), try PulseServer())
        let desktop = try SharedDesktop(
            Self.size, share: ["--record", hosts] + SharedDesktop.statistics,
            environments: (host.environment, viewer.environment))
        let moving = try MovingPicture(on: desktop.source, Self.size)
        try desktop.watch(["--record", viewers])
        let player = try host.play(Tone.sine(440, from: 0, count: 40 * 48_000), by: "a")
        let view = try #require(desktop.view)
        // A player may take time to start.
        let patience = Patience()
        while try host.pactl("list", "short", "sink-inputs").isEmpty { try #require(!patience.isOver) }
        let begun = try wait(for: 0, of: view)
        let told = try wait(for: begun.seconds + 4, of: view)
        #expect(told.path == viewers && told.pictures > 10 && told.soundPackets > 100)
        _ = try wait(for: told.seconds, of: desktop.share)
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        view.kill(SIGINT)
        _ = view.waitUntilExit()
        moving.stop()
        player.kill()
        for file in [hosts, viewers] {
            #expect(try complaints(about: file) == "")
            let (pictures, sound) = (try duration(of: file, track: "v:0"), try duration(of: file, track: "a:0"))
            #expect(pictures > 3 && abs(pictures - sound) < 1, "\(file): \(pictures) s and \(sound) s")
            #expect(try loudness(of: file) > -20)
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
    }

    @Test("a full disk ends the recording, says so, and viewers go on")
    func fullDisk() throws {
        let folder = try Folder()
        let file = folder.file("take.mp4")
        let desktop = try SharedDesktop(Self.size, share: ["--record", file] + SharedDesktop.statistics)
        let moving = try MovingPicture(on: desktop.source, Self.size)
        try desktop.watch()
        let told = try wait(for: 2, of: desktop.share)
        try Tool.run(["prlimit", "--pid", "\(desktop.share.processIdentifier)", "--fsize=\(told.bytes + 100_000)"])
        try desktop.share.line(with: "The recording has ended, as the file has the most bytes")
        try #require(desktop.view).goOn(for: .milliseconds(500))
        moving.stop()
        let complaints = try complaints(about: file)
        #expect(complaints == "")
        #expect(try duration(of: file, track: "v:0") > 1)
    }

    @Test("a file that is there is not recorded over, unless that is said; and other names that can't be")
    func refused() throws {
        let folder = try Folder()
        let file = folder.file("take.mp4")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
        let desktop = try Desktop(Self.size)
        func share(_ arguments: [String]) throws -> RunningProgram {
            try desktop.start(
                SharedDesktop.heliograph,
                ["share", "--address", "127.0.0.1", "--port", "0", "--no-discovery", "--sound", "off"] + arguments,
                environment: ["HELIOGRAPH_HOME": folder.file("home")])
        }
        for (name, message) in [
            ("take.mp4", "is there already"), ("take.avi", "ends with .mp4"), ("none/take.mkv", "there is no folder"),
        ] {
            let program = try share(["--record", folder.file(name)])
            try program.line(with: message)
            #expect(program.waitUntilExit() != 0)
        }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
        let program = try share(["--record", file, "--record-overwrite"])
        try program.line(with: "Recording to")
        program.kill(SIGTERM)
        #expect(program.waitUntilExit() == 0)
        #expect(try complaints(about: file) == "")
    }

    @Test("in a terminal a red dot and the time stay below what is said")
    func dot() throws {
        let folder = try Folder()
        let desktop = try Desktop(Self.size)
        let command =
            "\(SharedDesktop.heliograph) share --address 127.0.0.1 --port 0 --no-discovery --sound off --stats --record "
            + folder.file("take.mp4")
        // A terminal ends lines with CR LF.
        let program = try desktop.start(
            "bash", ["-c", "script -qefc \"$1\" /dev/null | sed -u 's/\\r//g'", "-", command],
            environment: ["HELIOGRAPH_HOME": folder.file("home"), "TERM": "xterm", "NO_COLOR": "", "LC_ALL": "C.UTF-8"])
        // The line with the dot has no end: it is read with the next output.
        try program.line(with: "\u{1B}[31m●\u{1B}[0m 0:00:0")
        // Ctrl-C ends the program, and the line.
        let heliograph = ProcessTree.living(program.processIdentifier).filter { process in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
            return file == SharedDesktop.heliograph
        }
        // The key guard is one of the processes, too, and Ctrl-C signals all of them.
        #expect(!heliograph.isEmpty)
        for process in heliograph { kill(process, SIGINT) }
        _ = program.waitUntilExit()
        #expect(program.text.contains(" take.mp4"))
    }
}
