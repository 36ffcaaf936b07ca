/// What is known of this process's session and of its X server before a screen is captured.
struct SessionEvidence: Equatable {
    /// The X server that is asked for.
    enum Server: Equatable {
        /// No display is named, neither by the user nor by `$DISPLAY`.
        case none
        /// The display's name, of a server that can't be reached.
        case unreachable(String)
        /// The display's name, of a server with a screen of its own: Xorg, Xvfb, Xephyr.
        case own(String)
        /// The display's name, of Xwayland, which has the windows of a Wayland session's X programs alone.
        case xwayland(String)
    }

    enum Desktop { case gnome, kde, other }

    var server = Server.none
    /// True if the user names the display, and so wants that server whatever it shows.
    var isServerNamed = false
    /// The type by which the log-in manager knows the session (`$XDG_SESSION_TYPE`); empty if there is none.
    var sessionType = ""
    /// The Wayland compositor's socket, a name or a path (`$WAYLAND_DISPLAY`); empty if there is none.
    var compositor = ""
    /// True if a program listens at that socket.
    var compositorAnswers = false
    /// The desktop's names, with colons between (`$XDG_CURRENT_DESKTOP`).
    var desktops = ""
    /// The sessions on X11 that the log-in screen offers, by their names.
    var x11Sessions: [String] = []

    /// True if the screen before the user is a Wayland compositor's.
    ///
    /// A compositor inside a session on X11 is a window there. A compositor that was started at a console has a session
    /// of type `tty`, and one that has ended may have left its variable behind, so that its answer counts.
    var isWayland: Bool {
        if case .xwayland = server { return true }
        return sessionType == "wayland" || (sessionType != "x11" && compositorAnswers)
    }

    var desktop: Desktop {
        let names = desktops.split(separator: ":").map { $0.lowercased() }
        if names.contains(where: { $0.hasPrefix("gnome") || $0 == "ubuntu" }) { return .gnome }
        return names.contains("kde") ? .kde : .other
    }

    /// The session on X11 to log in to: the one that says so in its name, or the first; `nil` if there is none.
    var x11Session: String? {
        x11Sessions.first { $0.contains("Xorg") || $0.contains("X11") } ?? x11Sessions.first
    }
}
