private import Foundation

/// What to say in a Wayland session, where X11's screen shows the windows of X11's programs alone.
enum WaylandNote {
    /// `nil`: no sign of one.
    ///
    /// - Parameter monitors: the names of the display's monitors. Xwayland calls its own XWAYLAND0 and so on.
    static func text(
        monitors: [String], environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String? {
        let isXwayland = monitors.contains { $0.hasPrefix("XWAYLAND") }
        let isSession =
            environment["XDG_SESSION_TYPE"] == "wayland" || !environment["WAYLAND_DISPLAY", default: ""].isEmpty
        guard isXwayland || isSession else { return nil }
        return "This is a Wayland session, and Heliograph captures X11 alone: viewers may see black, or a few windows. "
            + "Log out, choose 'Xorg' or 'X11' where you log in, and share from there."
    }
}
