import CXCB
import Glibc
import HelioCore

/// What is said of a Wayland session, where X shows the windows of X programs alone and black elsewhere.
enum WaylandSession {
    /// What is wrong, and what to do, for people; without its full stop.
    static let explanation =
        "This is a Wayland session: of its screen X sees only the windows of X programs, the rest is black. To share all "
        + "of it, log out and choose a session on X11 (\"Xorg\") at the log-in screen"

    /// True where this process was started in a Wayland session.
    static var isPresent: Bool { isPresent(by: { getenv($0).map { String(cString: $0) } }) }

    /// - Parameter variable: gives the environment's variable of a name.
    static func isPresent(by variable: (String) -> String?) -> Bool {
        if let type = variable("XDG_SESSION_TYPE"), !type.isEmpty { return type == "wayland" }
        return !(variable("WAYLAND_DISPLAY") ?? "").isEmpty
    }

    /// Returns true for Xwayland: newer ones have an extension of that name, and all call their outputs by it.
    static func isXwayland(_ x: X11Connection, _ monitors: [ScreenMonitor]) -> Bool {
        helio_xcb_has(x.raw, "XWAYLAND") != 0 || monitors.contains { $0.name.hasPrefix("XWAYLAND") }
    }

    /// The note on a display; `nil` where it has nothing to do with Wayland.
    static func note(_ x: X11Connection, _ monitors: [ScreenMonitor]) -> String? {
        isXwayland(x, monitors) || isPresent ? explanation : nil
    }
}
