import Foundation

/// A separate Wayland session without a real screen: Debian's sway, whose pictures its own renderer makes in memory. It
/// ends with this object.
package final class SwayDesktop {
    private static let programs = ["/usr/bin/sway", "/usr/bin/swaymsg", "/usr/bin/setpriv"]

    /// The path of the compositor's socket.
    package let socket: String
    /// The path of the socket for `swaymsg`.
    package let control: String
    private let program: RunningProgram
    private let folder: URL

    /// Starts sway with one output, HEADLESS-1, or with another number of them.
    ///
    /// - Parameter background: of all outputs, as RRGGBB.
    package init(width: Int = 640, height: Int = 400, background: String = "ffffff", outputs: Int = 1) throws {
        for program in Self.programs where !FileManager.default.isExecutableFile(atPath: program) {
            throw RunningProgram.Ended(description: "\(program) is missing: script/install-packages test")
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-sway-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        control = folder.path + "/control"
        let configuration = folder.appending(path: "sway.conf")
        try """
        xwayland disable
        default_border none
        focus_follows_mouse yes
        output * bg #\(background) solid_color
        output HEADLESS-1 mode \(width)x\(height) position 0 0
        exec echo sway is ready $WAYLAND_DISPLAY
        """.write(to: configuration, atomically: true, encoding: .utf8)
        var command = [Self.programs[0], "--config", configuration.path]
        if geteuid() == 0 {
            // Sway refuses to run as root.
            let nobody: UInt32 = 65534
            for path in [folder.path, configuration.path] { chown(path, nobody, nobody) }
            command = [Self.programs[2], "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"] + command
        }
        program = try RunningProgram(
            command[0], Array(command.dropFirst()),
            environment: [
                "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "WAYLAND_DISPLAY": "", "DISPLAY": "",
                "SWAYSOCK": control,
                "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1",
                "WLR_HEADLESS_OUTPUTS": "\(outputs)", "XDG_SESSION_TYPE": "wayland",
            ])
        // The line may begin with one of sway's own, and end with another.
        let words = try program.line(with: "sway is ready").split(separator: " ")
        guard let name = words.first(where: { $0.hasPrefix("wayland-") }) else {
            throw RunningProgram.Ended(description: "sway names no socket: \(words)")
        }
        socket = folder.path + "/" + name.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the compositor at once.
    package func kill() {
        program.kill(SIGKILL)
        _ = program.ends(within: .seconds(10))
    }

    /// The environment of programs in this session.
    package var environment: [String: String] {
        [
            "XDG_RUNTIME_DIR": folder.path, "WAYLAND_DISPLAY": socket, "XDG_SESSION_TYPE": "wayland",
            "XDG_CURRENT_DESKTOP": "sway", "DISPLAY": "", "LC_ALL": "C.UTF-8",
        ]
    }

    /// Has sway carry out a command, such as `output HEADLESS-1 mode 800x600`.
    package func order(_ command: String) throws {
        _ = try Tool.run([Self.programs[1], "--socket", control, "--", command], environment: environment)
    }

    /// Returns sway's description of its outputs, workspaces and windows: the answer to `swaymsg -t get_tree`.
    package func tree() throws -> SwayNode {
        let answer = try Tool.run([Self.programs[1], "--socket", control, "-t", "get_tree"], environment: environment)
        return try JSONDecoder().decode(SwayNode.self, from: answer)
    }

    /// Starts a program of the session.
    package func start(
        _ program: String, _ arguments: [String] = [], environment other: [String: String] = [:]
    ) throws -> RunningProgram {
        try RunningProgram(program, arguments, environment: environment.merging(other) { $1 })
    }
}
