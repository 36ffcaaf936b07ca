import CXCB
import Glibc
import HelioCore

/// Detects a Wayland session and warns the user: in such a session, X captures only the windows of X programs, and
/// black elsewhere.
enum WaylandSession {
    /// The problem and its remedy for the user; without a full stop, so that it can be embedded.
    static let explanation =
        "This is a Wayland session: of its screen X sees only the windows of X programs, the rest is black. To share all "
        + "of it, log out and choose a session on X11 (\"Xorg\") at the log-in screen"

    /// True if this process was started in a Wayland session.
    static var isPresent: Bool { isPresent(by: { getenv($0).map { String(cString: $0) } }) }

    /// Returns whether the environment is that of a Wayland session.
    ///
    /// - Parameter variable: returns an environment variable by its name.
    static func isPresent(by variable: (String) -> String?) -> Bool {
        if let type = variable("XDG_SESSION_TYPE"), !type.isEmpty { return type == "wayland" }
        return !(variable("WAYLAND_DISPLAY") ?? "").isEmpty
    }

    /// Returns true if the server is Xwayland: newer versions have an extension named XWAYLAND, and in all versions the
    /// outputs' names begin with XWAYLAND.
    static func isXwayland(_ x: X11Connection, _ monitors: [ScreenMonitor]) -> Bool {
        helio_xcb_has(x.raw, "XWAYLAND") != 0 || monitors.contains { $0.name.hasPrefix("XWAYLAND") }
    }

    /// Returns the warning for a display; `nil` if neither the server nor this process's session is one of Wayland.
    static func note(_ x: X11Connection, _ monitors: [ScreenMonitor]) -> String? {
        isXwayland(x, monitors) || isPresent ? explanation : nil
    }
}
