private import CSDL2
private import Glibc
internal import HelioCore
private import HelioWayland

/// The choice of the window system for a viewer's window, between a Wayland compositor and an X server.
struct WindowSystem: Equatable {
    /// A window system, by SDL's name of its video driver.
    enum Driver: String {
        case wayland, x11
    }

    /// The drivers to try, in this order; empty if the choice is SDL's, by `$SDL_VIDEODRIVER` or by its own order.
    var drivers: [Driver]
    /// The path of the session's compositor; `nil` if there is none.
    var compositor: String?
    /// The reason why the compositor's session gets no window of its own kind; `nil` if there is none.
    var lack: String?

    /// The globals that every window needs, and their versions: `wl_surface.damage_buffer` came with version 4.
    private static let needed: [(name: String, version: UInt32)] = [
        ("wl_compositor", 4), ("wl_subcompositor", 1), ("wl_shm", 1), ("xdg_wm_base", 1), ("wl_seat", 1),
    ]

    /// True if the window is a Wayland compositor's, as far as is known before it is opened.
    func isWayland(_ variable: (String) -> String?) -> Bool {
        if drivers.isEmpty { return variable("SDL_VIDEODRIVER")?.hasPrefix(Driver.wayland.rawValue) ?? false }
        return drivers.first == .wayland
    }

    /// Chooses by the environment: `$SDL_VIDEODRIVER`, then the compositor that answers, then the X server.
    ///
    /// - Parameters:
    ///   - variable: returns the value of an environment variable.
    ///   - globals: returns the globals of the compositor at a path, with their versions; `nil` if none answers.
    ///   - hasFrames: returns whether SDL can draw a window's frame and title where the compositor draws none.
    static func choose(
        _ variable: (String) -> String?, globals: (String) -> [String: UInt32]?, hasFrames: () -> Bool
    ) -> WindowSystem {
        let path = (try? WaylandSocket.path(variable)).flatMap { $0.isEmpty ? nil : $0 }
        let isForced = variable("SDL_VIDEODRIVER").map { !$0.isEmpty } ?? false
        guard let path, let found = globals(path) else { return WindowSystem(drivers: []) }
        let missing = needed.filter { found[$0.name, default: 0] < $0.version }.map(\.name)
        let lack =
            missing.isEmpty
            ? nil : "the compositor offers no \(missing.joined(separator: ", ")) of the version that is needed"
        if isForced { return WindowSystem(drivers: [], compositor: path, lack: lack) }
        // SDL would end the process where there is no wl_seat.
        if lack != nil { return WindowSystem(drivers: [.x11], compositor: path, lack: lack) }
        let hasServer = variable("DISPLAY").map { !$0.isEmpty } ?? false
        if found["zxdg_decoration_manager_v1"] == nil, hasServer, !hasFrames() {
            return WindowSystem(
                drivers: [.x11, .wayland], compositor: path,
                lack: "the compositor draws no frames of windows, and libdecor, which would, is not installed "
                    + "with a plug-in (libdecor-0-plugin-1-cairo or -gtk)")
        }
        return WindowSystem(drivers: [.wayland, .x11], compositor: path)
    }

    /// Chooses by this process's environment.
    static func choose() -> WindowSystem {
        choose(
            Self.variable,
            globals: { path in
                guard let connection = try? WaylandConnection(path: path) else { return nil }
                return Dictionary(connection.globals.map { ($0.interface, $0.version) }, uniquingKeysWith: max)
            },
            hasFrames: hasFrames)
    }

    /// True if libdecor is installed, by which SDL draws frames, and one of the plug-ins that it needs for that.
    private static func hasFrames() -> Bool {
        guard let library = dlopen("libdecor-0.so.0", RTLD_LAZY | RTLD_LOCAL) else { return false }
        defer { dlclose(library) }
        if let folders = variable("LIBDECOR_PLUGIN_DIR") {
            return folders.split(separator: ":").contains { hasPlugin(in: String($0)) }
        }
        guard let path = helio_library_path(library) else { return false }
        let place = String(cString: path).split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return hasPlugin(in: place.joined(separator: "/") + "/libdecor/plugins-1")
    }

    private static func hasPlugin(in folder: String) -> Bool {
        guard let listing = opendir(folder) else { return false }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".so") { return true }
        }
        return false
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
