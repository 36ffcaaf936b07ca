import Foundation

/// A separate session of GNOME's compositor without its shell and without a real screen, with a message bus, PipeWire
/// and its session manager of its own. All end with this object.
package final class MutterDesktop {
    private static let mutter = "/usr/bin/mutter", pipewire = "/usr/bin/pipewire", manager = "/usr/bin/wireplumber"

    package let bus: SessionBusProgram
    private var programs: [RunningProgram] = []
    private let compositor: RunningProgram

    /// Starts the session.
    ///
    /// - Parameter monitor: the size of its one monitor, Meta-0; `nil` for none.
    package init(monitor: String? = "640x400") throws {
        for program in [Self.mutter, Self.pipewire, Self.manager]
        where !FileManager.default.isExecutableFile(atPath: program) {
            throw RunningProgram.Ended(description: "\(program) is missing: script/install-packages test")
        }
        bus = try SessionBusProgram()
        let environment = Self.environment(bus)
        programs.append(try RunningProgram(Self.pipewire, [], environment: environment))
        // The session manager ends if PipeWire is not there.
        let socket = bus.folder.path + "/pipewire-0"
        guard Patience().wait(until: { FileManager.default.fileExists(atPath: socket) }) else {
            throw Patience.Exhausted(description: "PipeWire makes no socket")
        }
        programs.append(try RunningProgram(Self.manager, [], environment: environment))
        compositor = try RunningProgram(
            Self.mutter,
            ["--headless", "--wayland", "--no-x11"] + (monitor.map { ["--virtual-monitor", $0] } ?? []),
            environment: environment)
        try compositor.line(with: "Using Wayland display name 'wayland-0'")
        for name in ["DisplayConfig", "RemoteDesktop", "ScreenCast"] {
            _ = try Tool.run(
                ["gdbus", "wait", "--session", "--timeout", "30", "org.gnome.Mutter.\(name)"], environment: environment)
        }
    }

    deinit { kill() }

    /// Ends the compositor, and what belongs to it, at once.
    package func kill() {
        for program in [compositor] + programs {
            program.kill(SIGKILL)
            _ = program.ends(within: .seconds(10))
        }
    }

    /// The environment of programs in this session.
    package var environment: [String: String] { Self.environment(bus) }

    private static func environment(_ bus: SessionBusProgram) -> [String: String] {
        let folder = bus.folder.path
        return [
            "XDG_RUNTIME_DIR": folder, "HOME": folder, "XDG_CONFIG_HOME": folder + "/config",
            "XDG_STATE_HOME": folder + "/state", "DBUS_SESSION_BUS_ADDRESS": bus.address,
            "WAYLAND_DISPLAY": "wayland-0",
            "XDG_SESSION_TYPE": "wayland", "XDG_CURRENT_DESKTOP": "GNOME", "DISPLAY": "", "LC_ALL": "C.UTF-8",
            "LIBGL_ALWAYS_SOFTWARE": "1", "GSETTINGS_BACKEND": "memory", "NO_AT_BRIDGE": "1",
        ]
    }

    /// Turns the monitor Meta-0, of 640x400 pixels, by a quarter.
    package func turnMonitor() throws {
        let name = "org.gnome.Mutter.DisplayConfig"
        let call = [
            "gdbus", "call", "--session", "--dest", name, "--object-path", "/org/gnome/Mutter/DisplayConfig",
            "--method",
        ]
        let state = String(
            decoding: try Tool.run(call + [name + ".GetCurrentState"], environment: environment), as: UTF8.self)
        // The answer begins with the configuration's number: (uint32 2, ...
        guard let number = state.dropFirst("(uint32 ".count).split(separator: ",").first else {
            throw RunningProgram.Ended(description: "mutter tells no monitors: \(state)")
        }
        _ = try Tool.run(
            call + [
                name + ".ApplyMonitorsConfig", String(number), "1",
                "[(0, 0, 1.0, uint32 1, true, [('Meta-0', '640x400@60.000', @a{sv} {})])]", "@a{sv} {}",
            ], environment: environment)
    }

    /// Starts a program of the session.
    package func start(_ program: String, _ arguments: [String] = []) throws -> RunningProgram {
        try RunningProgram(program, arguments, environment: environment)
    }
}
