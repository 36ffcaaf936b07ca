private import Foundation
package import HelioCore

/// Installs, removes and describes the service, by its unit file and `systemctl`.
package struct ServiceManager: Sendable {
    /// The scope's arguments of `systemctl` and `journalctl`.
    private var scopeArguments: [String] { scope == .user ? [SystemTool.option("user")] : [] }

    private let scope: ServiceUnit.Scope
    private let folder: String
    private let tool: SystemTool

    /// - Parameters:
    ///   - folder: the folder of unit files; `nil` for the scope's own.
    ///   - home: the user's home folder.
    ///   - configuration: the user's folder of settings, `$XDG_CONFIG_HOME`; `nil` or empty for the usual one.
    package init(
        _ scope: ServiceUnit.Scope, folder: String? = nil, home: String, configuration: String?,
        tool: SystemTool = SystemTool()
    ) {
        self.scope = scope
        self.tool = tool
        let settings = configuration.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.config"
        self.folder = folder ?? (scope == .user ? settings + "/systemd/user" : "/etc/systemd/system")
    }

    /// The path of the unit file.
    package var path: String { folder + "/" + ServiceUnit.name }

    /// True if there is a unit file.
    package var isInstalled: Bool { FileManager.default.fileExists(atPath: path) }

    /// Writes the unit file, and makes the service start by itself.
    ///
    /// - Parameter starts: true to start it now as well, or anew if it runs.
    ///
    /// Throws `systemFailed`; a unit file that was written stays.
    package func install(_ unit: ServiceUnit, starts: Bool) throws(HelioError) {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(unit.text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            // Units are no secrets: systemd tells everybody what is in them.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            throw HelioError(
                .systemFailed, "The unit file \(path) can't be written: \(Self.reason(error)).", cause: error)
        }
        try control(["daemon-reload"])
        try control(["enable", ServiceUnit.name])
        if starts { try control(["restart", ServiceUnit.name]) }
    }

    /// Stops the service, and removes its unit file. Returns false if it was not installed.
    package func remove() throws(HelioError) -> Bool {
        guard isInstalled else { return false }
        // Without a manager that runs, nothing runs that would have to be stopped.
        let stopping = ["disable", SystemTool.option("now"), ServiceUnit.name]
        let stopped = try? tool.run(["systemctl"] + scopeArguments + stopping, errors: true)
        do {
            try FileManager.default.removeItem(atPath: path)
            if stopped?.status != 0 { try Self.removeLinks(to: ServiceUnit.name, in: folder) }
        } catch {
            throw HelioError(
                .systemFailed, "The unit file \(path) can't be removed: \(Self.reason(error)).", cause: error)
        }
        _ = try? tool.run(["systemctl"] + scopeArguments + ["daemon-reload"])
        return true
    }

    /// Returns the service's state. Throws `systemFailed` if systemd can't be asked.
    package func status() throws(HelioError) -> ServiceStatus {
        let properties = SystemTool.option("property", ServiceStatus.properties.joined(separator: ","))
        let question = ["show", ServiceUnit.name, SystemTool.option("no-pager"), properties]
        let result = try tool.run(["systemctl"] + scopeArguments + question, errors: true)
        guard result.status == 0 else { throw Self.failure("systemctl", result) }
        return ServiceStatus(result.text)
    }

    /// The command that shows the service's log.
    ///
    /// - Parameters:
    ///   - lines: the number of lines from before.
    ///   - follows: true to show new lines as they come.
    package func logCommand(lines: Int, follows: Bool) -> [String] {
        let options = [("unit", ServiceUnit.name), ("no-pager", nil), ("lines", "\(lines)")]
        return ["journalctl"] + scopeArguments + options.map { SystemTool.option($0.0, $0.1) }
            + (follows ? [SystemTool.option("follow")] : [])
    }

    private func control(_ arguments: [String]) throws(HelioError) {
        let result = try tool.run(["systemctl"] + scopeArguments + arguments, errors: true, within: .seconds(20))
        guard result.status == 0 else { throw Self.failure("systemctl \(arguments[0])", result) }
    }

    private static func failure(_ command: String, _ result: SystemTool.Result) -> HelioError {
        HelioError(.systemFailed, "\(command) has failed: \(result.lastLine)")
    }

    private static func reason(_ error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        if let cause, cause.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(cause.code))) }
        return error.localizedDescription
    }

    /// Removes the links by which the unit starts by itself, where no manager does.
    private static func removeLinks(to name: String, in folder: String) throws {
        for target in try FileManager.default.contentsOfDirectory(atPath: folder)
        where target.hasSuffix(".target.wants") {
            let link = "\(folder)/\(target)/\(name)"
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) != nil {
                try FileManager.default.removeItem(atPath: link)
            }
        }
    }
}
