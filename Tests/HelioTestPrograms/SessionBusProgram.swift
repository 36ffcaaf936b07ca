package import Foundation

/// A message bus of its own, which starts no services; it ends with this object.
package final class SessionBusProgram {
    private static let daemon = "/usr/bin/dbus-daemon"

    /// The address, as in `$DBUS_SESSION_BUS_ADDRESS`.
    package let address: String
    /// The folder of its socket, for the sockets of others as well.
    package let folder: URL
    private let program: RunningProgram

    package init() throws {
        guard FileManager.default.isExecutableFile(atPath: Self.daemon) else {
            throw RunningProgram.Ended(description: "\(Self.daemon) is missing: script/install-packages test")
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-bus-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = folder.appending(path: "bus.conf")
        try """
        <busconfig>
          <type>session</type>
          <listen>unix:path=\(folder.path)/bus</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
          </policy>
        </busconfig>
        """.write(to: configuration, atomically: true, encoding: .utf8)
        program = try RunningProgram(
            Self.daemon, ["--config-file", configuration.path, "--nofork", "--nopidfile", "--print-address=1"],
            environment: [:])
        address = try program.line(with: "unix:path=").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the bus at once.
    package func kill() {
        program.kill(SIGKILL)
        _ = program.ends(within: .seconds(10))
    }
}
