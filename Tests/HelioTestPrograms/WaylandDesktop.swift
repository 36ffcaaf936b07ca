import Foundation

/// A separate Wayland session without a real screen: Debian's Weston, with Xwayland for X programs. It ends with this
/// object.
package final class WaylandDesktop {
    private static let programs = ["/usr/bin/weston", "/usr/bin/Xwayland"]
    private static let socket = "wayland-0"
    private static let configuration = """
        [core]
        xwayland=true
        shell=kiosk-shell.so
        idle-time=0
        [input-method]
        path=
        """

    /// The display for X programs; Xwayland is started by the first of them.
    package let display: String
    private let program: RunningProgram
    private let folder: URL

    package init() throws {
        for program in Self.programs where !FileManager.default.isExecutableFile(atPath: program) {
            throw RunningProgram.Ended(description: "\(program) is missing: script/install-packages test")
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-wayland-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let configuration = folder.appending(path: "weston.ini")
        try Self.configuration.write(to: configuration, atomically: true, encoding: .utf8)
        program = try RunningProgram(
            Self.programs[0],
            [
                "--backend=headless-backend.so", "--width=640", "--height=480", "--socket=\(Self.socket)",
                "--config=\(configuration.path)",
            ],
            environment: ["XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": "", "DISPLAY": ""])
        let line = try program.line(with: "xserver listening on display :")
        display = ":" + (line.split(separator: ":").last ?? "")
    }

    deinit {
        // On SIGTERM, Weston removes the X server's lock and socket.
        program.kill(SIGTERM)
        _ = program.ends(within: .seconds(10))
        try? FileManager.default.removeItem(at: folder)
    }

    /// The environment of programs in this session.
    package var environment: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": Self.socket, "XDG_SESSION_TYPE": "wayland",
            "XDG_CURRENT_DESKTOP": "weston", "DISPLAY": display,
        ]
    }
}
