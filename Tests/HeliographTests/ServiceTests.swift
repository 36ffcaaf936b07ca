import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// The real program as a service, with a `systemctl` of the test's own, on a display of the test's own.
@Suite("A machine with nobody there", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
final class ServiceTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// The environment of a user whose home is the test's folder.
    private func environment(systemctl body: String = "exit 0") throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        let program = folder + "/bin/systemctl"
        try "#!/bin/sh\necho \"$@\" >>'\(folder)/asked'\n\(body)\n".write(
            toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return SharedDesktop.noSound.merging([
            "HOME": folder, "XDG_CONFIG_HOME": "", "HELIOGRAPH_HOME": folder + "/keys", "HELIOGRAPH_RENDEZVOUS": "",
            "PATH": folder + "/bin:/usr/bin:/bin",
        ]) { $1 }
    }

    private func run(_ arguments: [String], _ environment: [String: String]) throws -> (status: Int32, text: String) {
        let program = try RunningProgram(SharedDesktop.heliograph, arguments, environment: environment)
        let status = program.waitUntilExit()
        return (status, program.text)
    }

    private var unit: String { folder + "/.config/systemd/user/heliograph.service" }

    @Test("install writes a unit with the options as they are, and asks systemd; remove leaves nothing")
    func install() throws {
        let environment = try environment()
        let installed = try run(
            [
                "service", "install", "--name", "Ann's desk, 50% $x", "--monitor", "1600x900", "--view-only", "--port",
                "7000",
            ], environment)
        #expect(installed.status == 0, "\(installed.text)")
        let text = try String(contentsOfFile: unit, encoding: .utf8)
        #expect(
            text.contains(
                "heliograph service run --monitor 1600x900 -- --name \"Ann's desk, 50%% $$x\" --view-only --port 7000 --paired-only\n"
            ),
            "\(text)")
        #expect(text.contains("\nEnvironment=HELIOGRAPH_HOME=\(folder)/keys\n"))
        #expect(installed.text.contains("No device is paired yet"))
        #expect(try run(["service", "remove"], environment).status == 0)
        #expect(!FileManager.default.fileExists(atPath: unit))
        let asked = try String(contentsOfFile: folder + "/asked", encoding: .utf8).split(separator: "\n")
        #expect(
            asked == [
                "--user daemon-reload", "--user enable heliograph.service", "--user restart heliograph.service",
                "--user disable --now heliograph.service", "--user daemon-reload",
            ])
    }

    @Test(
        "options that share would not take, or that hold a secret, are refused, and nothing is written",
        arguments: [
            (["--no-such-option"], "no-such-option"), (["--fps", "0"], "--fps 0"), (["--monitor", "big"], "big"),
            (["--list"], "can't list"),
            (["--broadcast", "srt://example.org:9000?passphrase=sesame1234"], "can be read by everybody"),
            (["--publish", "rtsp://ann:sesame1234@example.org/desk"], "can be read by everybody"),
            (["--paired-only", "--link-file", "/tmp/link"], "--paired-only"),
        ])
    func refused(options: [String], reason: String) throws {
        let (status, text) = try run(["service", "install"] + options, environment())
        #expect(status != 0 && text.contains(reason), "\(text)")
        #expect(!text.contains("sesame1234"))
        #expect(!FileManager.default.fileExists(atPath: unit))
    }

    @Test("status tells what systemd says, and ends with 3 where nothing runs")
    func status() throws {
        let running = try run(
            ["service", "status"],
            environment(systemctl: "printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\n'"))
        #expect(running.status == 0 && running.text.contains("The service runs."), "\(running.text)")
        let absent = try run(["service"], environment(systemctl: "echo LoadState=not-found"))
        #expect(absent.status == 3 && absent.text.contains("heliograph service install"), "\(absent.text)")
        let broken = try run(
            ["service", "status"], environment(systemctl: "echo 'Failed to connect to bus: No medium found'; exit 1"))
        #expect(broken.status == 1 && broken.text.contains("No medium found"), "\(broken.text)")
    }

    @Test("the service shares the display, starts sharing again after a crash, and ends with it")
    func shares() throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let service = try desktop.start(
            SharedDesktop.heliograph,
            [
                "service", "run", "--", "--display", desktop.display, "--address", "127.0.0.1", "--port", "0", "--web",
                "off", "--no-discovery", "--sound", "off", "--paired-only", "--pair-code-file", folder + "/gone",
            ], environment: environment())
        try service.line(with: "Sharing this screen (320x240)")
        try service.line(with: "Only paired devices are let in")
        #expect(!service.text.contains("heliograph://") && !service.text.contains("--code"))
        kill(try Self.sharing(of: service), SIGKILL)
        try service.line(with: "Sharing has ended with 137: it starts again in 1 s.")
        try service.line(with: "Sharing this screen (320x240)")
        let sharing = try Self.sharing(of: service)
        service.kill(SIGTERM)
        #expect(service.waitUntilExit() == 0)
        #expect(
            Patience().wait { ProcessTree.living(sharing).isEmpty }, "\(service.text.lastLines)")
    }

    /// The process that the service has started to share.
    private static func sharing(of service: RunningProgram) throws -> Int32 {
        let processes = ProcessTree.living(service.processIdentifier).filter { process in
            let words = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8).split(separator: "\0")
            return words?.count ?? 0 > 1 && words?[1] == "share"
        }
        return try #require(processes.first)
    }

    // MARK: The doctor

    private struct Line: Decodable {
        var check: String
        var state: String
        var text: String
        var advice: String?
    }

    private static func lines(_ text: String) throws -> [Line] {
        // Libraries may have said something on standard error.
        try text.split(separator: "\n").filter { $0.hasPrefix("{") }.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test(
        "the doctor finds a display, an encoder and all else to look at, with no secret; and one fault without a display"
    )
    func doctor() throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let environment = try environment(systemctl: "exit 1")
        // A pairing, whose secret is in the folder.
        let code = folder + "/code"
        #expect(try run(["devices", "make-code", code], environment).status == 0)
        let looking = try desktop.start(SharedDesktop.heliograph, ["doctor", "--json"], environment: environment)
        #expect(looking.waitUntilExit() == 0, "\(looking.text)")
        let found = try Self.lines(looking.text)
        #expect(
            found.map(\.check) == [
                "display", "encoders", "decoders", "sound", "clipboard", "discovery", "ports", "firewall", "rendezvous",
                "clock", "keys", "devices", "service", "version",
            ])
        #expect(found.first?.state == "ok" && found.first?.text.contains("320x240") == true, "\(looking.text)")
        #expect(found.allSatisfy { $0.state != "fault" && !$0.text.isEmpty })
        #expect(found[1].text.contains("x264") && found[2].text.contains("h264"), "\(looking.text)")
        #expect(found[3].state == "warning" && found[3].advice != nil, "there is no sound server")

        let blind = environment.merging(["DISPLAY": "", "WAYLAND_DISPLAY": "", "XDG_SESSION_TYPE": ""]) { $1 }
        let (status, text) = try run(["doctor"], blind)
        #expect(status == 1)
        #expect(text.contains("fault    display") && text.contains("heliograph share --list"), "\(text)")
    }

    @Test("keys that others can read are a fault, with the command that mends it")
    func openKeys() throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let environment = try environment(systemctl: "exit 1")
        try FileManager.default.createDirectory(
            atPath: folder + "/keys", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        _ = FileManager.default.createFile(
            atPath: folder + "/keys/devices.json", contents: Data("{\"version\":1,\"entries\":[]}".utf8),
            attributes: [.posixPermissions: 0o644])
        let looking = try desktop.start(SharedDesktop.heliograph, ["doctor", "--json"], environment: environment)
        #expect(looking.waitUntilExit() == 1)
        let keys = try #require(try Self.lines(looking.text).first { $0.check == "keys" })
        #expect(keys.state == "fault" && keys.advice == "Run: chmod 600 \(folder)/keys/devices.json", "\(keys)")
    }

    @Test("a rendezvous server that is not there is told, without the fingerprint")
    func rendezvous() throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let place = "https://127.0.0.1:1"
        let looking = try desktop.start(
            SharedDesktop.heliograph,
            ["doctor", "--json", "--rendezvous", place + "#" + String(repeating: "b0", count: 26)],
            environment: environment(systemctl: "exit 1"))
        #expect(looking.waitUntilExit() == 0)
        let found = try #require(try Self.lines(looking.text).first { $0.check == "rendezvous" })
        #expect(found.state == "warning" && found.text.contains(place) && found.advice != nil, "\(found)")
        #expect(!looking.text.contains("b0b0"))
    }
}
