internal import HelioWaylandWire

/// The evidence about this process's session and its X server, gathered before a screen is captured.
struct SessionEvidence: Equatable {
    /// The X server to capture.
    enum Server: Equatable {
        /// None: neither the user nor `$DISPLAY` names a display.
        case none
        /// A server that can't be reached, by its display's name.
        case unreachable(String)
        /// A server with a screen of its own (Xorg, Xvfb, Xephyr), by its display's name.
        case own(String)
        /// Xwayland, which has only the windows of a Wayland session's X programs, by its display's name.
        case xwayland(String)

        /// The server of a display that can't be opened.
        ///
        /// - Parameter display: the display's name; empty if none is named.
        init(missing display: String) { self = display.isEmpty ? .none : .unreachable(display) }
    }

    enum Desktop { case gnome, kde, other }

    /// The abilities of the desktop's portal.
    enum Portal: Equatable {
        /// No portal, for the given reason.
        case missing(String)
        /// The screen, but it takes no input.
        case viewOnly
        case whole
        /// Nobody has asked.
        case none

        var isUsable: Bool { self == .viewOnly || self == .whole }
    }

    var server = Server.none
    /// True if the user named the display: it is then captured even if it is Xwayland's.
    var isServerNamed = false
    /// The session's type as set by the log-in manager (`$XDG_SESSION_TYPE`); empty if there is none.
    var sessionType = ""
    /// The Wayland compositor's socket, a name or a path (`$WAYLAND_DISPLAY`); empty if there is none.
    var compositor = ""
    /// True if a program listens at that socket.
    var compositorAnswers = false
    /// The interfaces that the compositor offers to this program, by their names; empty if it does not answer.
    var compositorOffers: Set<String> = []
    /// True if GNOME's Mutter offers its screen on the session's bus.
    var hasMutter = false
    /// The abilities of the desktop's portal.
    var portal = Portal.none
    /// The desktop's names, with colons between (`$XDG_CURRENT_DESKTOP`).
    var desktops = ""
    /// The sessions on X11 that the log-in screen offers, by their names.
    var x11Sessions: [String] = []

    /// True if the user's screen belongs to a Wayland compositor.
    ///
    /// In a session of type `x11` a compositor is only a window. A compositor that was started at a console has a
    /// session of type `tty`. One that has ended may have left its variable behind, so it counts only if its socket
    /// answers.
    var isWayland: Bool {
        if case .xwayland = server { return true }
        return sessionType == "wayland" || (sessionType != "x11" && compositorAnswers)
    }

    /// True if the compositor lets programs copy its outputs' pictures, by wlroots' screencopy or by
    /// ext-image-copy-capture.
    var hasScreencopy: Bool {
        func offers(_ interface: WaylandInterface) -> Bool { compositorOffers.contains(interface.rawValue) }
        return offers(.screencopyManager) || (offers(.copyManager) && offers(.outputSourceManager))
    }

    /// The way that suits the session: its compositor's or desktop's, unless the X server has a screen of its own that
    /// the user may mean.
    var preferred: CaptureWay {
        if isServerNamed { return .x11 }
        if case .own = server { return .x11 }
        if isWayland, hasScreencopy { return .wlr }
        // A service of the user has the session's bus, but perhaps not its variables.
        guard isWayland || sessionType != "x11" else { return .x11 }
        if hasMutter { return .gnome }
        return isWayland && portal.isUsable ? (desktop == .kde ? .kde : .portal) : .x11
    }

    /// The desktop environment, derived from `desktops`.
    var desktop: Desktop {
        let names = desktops.split(separator: ":").map { $0.lowercased() }
        if names.contains(where: { $0.hasPrefix("gnome") || $0 == "ubuntu" }) { return .gnome }
        return names.contains("kde") ? .kde : .other
    }

    /// The session on X11 to recommend: the first with Xorg or X11 in its name, otherwise the first; `nil` if there is
    /// none.
    var x11Session: String? {
        x11Sessions.first { $0.contains("Xorg") || $0.contains("X11") } ?? x11Sessions.first
    }
}
