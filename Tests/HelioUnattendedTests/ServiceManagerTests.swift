import Foundation
import HelioCore
import HelioTestLanes
import HelioUnattended
import Testing

// In order: a program that one test writes is busy while another test starts one.
@Suite("The service is installed, told and removed", .serialized, .tags(.quiet))
final class ServiceManagerTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A manager with a `systemctl` of the test's own, which writes down what it is asked.
    private func manager(_ scope: ServiceUnit.Scope = .user, systemctl body: String) throws -> ServiceManager {
        try FileManager.default.createDirectory(atPath: folder + "/bin", withIntermediateDirectories: true)
        let program = folder + "/bin/systemctl"
        try "#!/bin/sh\necho \"$@\" >>'\(folder)/asked'\n\(body)\n".write(
            toFile: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return ServiceManager(
            scope, folder: scope == .system ? folder + "/system" : nil, home: folder + "/a home", configuration: nil,
            tool: SystemTool(environment: ["PATH": folder + "/bin:/usr/bin:/bin"]))
    }

    private var asked: [String] {
        let text = try? String(contentsOfFile: folder + "/asked", encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    @Test("the unit is written where systemd looks, and enabled; again with other options; and removed")
    func user() throws {
        let manager = try manager(systemctl: "exit 0")
        #expect(manager.path == folder + "/a home/.config/systemd/user/heliograph.service")
        #expect(!manager.isInstalled)
        #expect(try !manager.remove() && asked.isEmpty)
        let unit = ServiceUnit(.user, program: "/bin/true", arguments: ["a"])
        try manager.install(unit, starts: true)
        #expect(try String(contentsOfFile: manager.path, encoding: .utf8) == unit.text)
        let attributes = try FileManager.default.attributesOfItem(atPath: manager.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o644)
        let other = ServiceUnit(.user, program: "/bin/true", arguments: ["b"])
        try manager.install(other, starts: false)
        #expect(try String(contentsOfFile: manager.path, encoding: .utf8) == other.text)
        #expect(try manager.remove() && !manager.isInstalled)
        #expect(
            asked == [
                "--user daemon-reload", "--user enable heliograph.service", "--user restart heliograph.service",
                "--user daemon-reload", "--user enable heliograph.service",
                "--user disable --now heliograph.service", "--user daemon-reload",
            ])
        #expect(
            manager.logCommand(lines: 5, follows: true) == [
                "journalctl", "--user", "--unit=heliograph.service", "--no-pager", "--lines=5", "--follow",
            ])
    }

    @Test("the machine's service is another one's to ask")
    func system() throws {
        let manager = try manager(.system, systemctl: "exit 0")
        try manager.install(ServiceUnit(.system, program: "/bin/true", arguments: []), starts: true)
        #expect(manager.path == folder + "/system/heliograph.service" && manager.isInstalled)
        #expect(asked == ["daemon-reload", "enable heliograph.service", "restart heliograph.service"])
    }

    @Test("without a manager that runs, the error says why, the unit is kept, and removing leaves nothing")
    func withoutManager() throws {
        let manager = try manager(systemctl: "echo 'Failed to connect to bus: No medium found' >&2; exit 1")
        let error = #expect(throws: HelioError.self) {
            try manager.install(ServiceUnit(.user, program: "/bin/true", arguments: []), starts: true)
        }
        #expect(error?.message == "systemctl daemon-reload has failed: Failed to connect to bus: No medium found")
        #expect(manager.isInstalled)
        let wants = folder + "/a home/.config/systemd/user/default.target.wants"
        try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: wants + "/heliograph.service", withDestinationPath: manager.path)
        #expect(try manager.remove())
        #expect(try FileManager.default.contentsOfDirectory(atPath: wants) == [])
    }

    @Test("a folder that can't be written is told")
    func unwritable() throws {
        let manager = try manager(systemctl: "exit 0")
        try FileManager.default.createDirectory(
            atPath: folder + "/a home/.config", withIntermediateDirectories: true)
        try "in the way".write(toFile: folder + "/a home/.config/systemd", atomically: true, encoding: .utf8)
        let error = #expect(throws: HelioError.self) {
            try manager.install(ServiceUnit(.user, program: "/bin/true", arguments: []), starts: true)
        }
        #expect(error?.message.contains(manager.path) == true && asked.isEmpty)
    }

    @Test("a program that does not end is ended, and one that is not there is told")
    func tools() throws {
        let tool = SystemTool()
        #expect(throws: HelioError.self) { try tool.run(["sleep", "1000"], within: .milliseconds(100)) }
        let error = #expect(throws: HelioError.self) { try tool.run(["heliograph-no-such-program"]) }
        #expect(error?.message == "There is no program heliograph-no-such-program here.")
        #expect(try tool.run(["sh", "-c", "echo out; echo err >&2; exit 3"]) == .init(status: 3, text: "out\n"))
        #expect(try tool.run(["sh", "-c", "echo err >&2"], errors: true).lastLine == "err")
    }

    @Test("the state of a service, in sentences")
    func status() throws {
        let manager = try manager(
            systemctl:
                "printf 'LoadState=loaded\\nActiveState=active\\nUnitFileState=enabled\\nNRestarts=2\\nResult=success\\n'; "
                + "printf 'StateChangeTimestamp=Sun 2026-11-29 12:00:00 UTC\\nLater=1\\n'")
        let status = try manager.status()
        #expect(status.isInstalled && status.isRunning && status.startsByItself && status.restarts == 2)
        #expect(
            status.sentences == [
                "The service runs since Sun 2026-11-29 12:00:00 UTC.", "It starts by itself.",
                "It was started again 2 times after it had ended.",
            ])
        #expect(ServiceStatus("LoadState=not-found\n").sentences == ["The service is not installed."])
        #expect(ServiceStatus("LoadState=masked\n").sentences == ["The service is masked."])
        let failed = ServiceStatus("LoadState=loaded\nActiveState=failed\nUnitFileState=disabled\nResult=exit-code\n")
        #expect(failed.sentences[0] == "The service has failed (exit-code)." && !failed.startsByItself)
        #expect(ServiceStatus("").sentences == ["The service is not installed."])
    }
}
