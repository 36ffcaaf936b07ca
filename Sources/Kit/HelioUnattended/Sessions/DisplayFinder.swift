/// Chooses the desktop that a service shares: that of its user's session, or that in front of the machine's seat.
package enum DisplayFinder {
    /// Finds the desktop of a user's service: that of the user's session, the one in front before others. Without
    /// logind it is a display or compositor of the user's own.
    package static func findOwn(_ facts: SessionFacts) -> DesktopSearch {
        let own = facts.sessions.filter {
            $0.user == facts.user && $0.isGraphical && $0.kind == "user" && $0.state != "closing"
        }
        // The later of two sessions is the likelier one: the earlier may have been left behind.
        let best = own.enumerated().max { one, other in
            let (first, second) = (one.element.state == "active", other.element.state == "active")
            return first == second ? one.offset < other.offset : !first
        }
        if let session = best?.element, let place = place(of: session, facts, isOwn: true) { return .found(place) }
        if let place = placeWithoutSession(facts) { return .found(place) }
        return .none(
            best == nil
                ? "Nobody is logged in to a desktop."
                : "The desktop of the session has no display that can be found yet.")
    }

    /// Finds the desktop of the machine's service: the log-in screen's or the user's session in front of the first
    /// seat, if it is on X11. A Wayland session is left to its user's own service, as only programs of that user reach it.
    package static func findInFront(_ facts: SessionFacts) -> DesktopSearch {
        let front = facts.sessions.first {
            $0.seat == "seat0" && $0.state == "active" && ["user", "greeter"].contains($0.kind)
        }
        guard let session = front else {
            guard facts.sessions.isEmpty, let place = placeOfOnlyServer(facts) else {
                return .none("No session is in front of this machine.")
            }
            return .found(place)
        }
        let who = session.kind == "greeter" ? "The log-in screen" : "The session of \(session.name)"
        switch session.type {
        case "x11": break
        case "wayland":
            return .none(
                session.kind == "greeter"
                    ? "\(who) is on Wayland, where no other program may see it: set the log-in manager to X11."
                    : "\(who) is on Wayland: its user's own service shares it.")
        default: return .none("\(who) has no desktop.")
        }
        guard let place = place(of: session, facts, isOwn: false) else {
            return .none("\(who) has no display that can be found yet.")
        }
        return .found(place)
    }

    // MARK: Places

    private static func place(of session: LoginSession, _ facts: SessionFacts, isOwn: Bool) -> DesktopPlace? {
        let programs = facts.programs.filter {
            $0.user == session.user && $0.variables["XDG_SESSION_ID"] == session.id
        }
        // Programs that were started early lack what the desktop set later: the one that knows most is taken.
        var variables = programs.max { $0.variables.count < $1.variables.count }?.variables ?? [:]
        if variables.isEmpty, isOwn {
            // Some desktops start all programs by the user's manager, whose variables name no session.
            variables =
                facts.programs.filter { $0.user == session.user && $0.variables["XDG_SESSION_ID"] == nil }
                .max { $0.variables.count < $1.variables.count }?.variables ?? [:]
        }
        // Root takes no more from a user's programs than a display: the address of a bus can name a program to run.
        if !isOwn { variables = variables.filter { ["DISPLAY", "XAUTHORITY"].contains($0.key) } }
        variables["XDG_SESSION_TYPE"] = session.type
        variables["XDG_SESSION_ID"] = session.id
        if isOwn, !facts.runtimeFolder.isEmpty { variables["XDG_RUNTIME_DIR"] = facts.runtimeFolder }
        if session.type == "wayland" {
            variables["WAYLAND_DISPLAY"] = variables["WAYLAND_DISPLAY"] ?? facts.compositors.min()
            return variables["WAYLAND_DISPLAY"].map {
                DesktopPlace(title: "the Wayland session at \($0)", environment: variables)
            }
        }
        variables["WAYLAND_DISPLAY"] = nil
        if !session.display.isEmpty { variables["DISPLAY"] = session.display }
        let servers = servers(of: session.user, facts)
        let atTerminal = servers.first { $0.terminal > 0 && $0.terminal == session.terminal }
        guard let display = variables["DISPLAY"] ?? atTerminal?.display, isOwn || isLocal(display, of: session, facts)
        else { return nil }
        variables["DISPLAY"] = display
        let server = servers.first { $0.display != nil && $0.display == name(of: display) } ?? atTerminal
        variables["XAUTHORITY"] = authority(variables, server, facts, isOwn: isOwn)
        let title = session.kind == "greeter" ? "the log-in screen" : "the session of \(session.name)"
        return DesktopPlace(title: "\(title) at \(display)", environment: variables)
    }

    /// Returns the file with the display's key. The server's own file is the surest, and a program of the machine may
    /// read it; a user's program may not, but has one in its session's variables or its home.
    private static func authority(
        _ variables: [String: String], _ server: XServerProgram?, _ facts: SessionFacts, isOwn: Bool
    ) -> String? {
        isOwn
            ? variables["XAUTHORITY"] ?? facts.ownAuthority ?? server?.authority
            : server?.authority ?? variables["XAUTHORITY"]
    }

    /// The X servers that a user's session may be on: those of root and of that user.
    private static func servers(of user: UInt32, _ facts: SessionFacts) -> [XServerProgram] {
        facts.servers.filter { $0.owner == 0 || $0.owner == user }
    }

    /// True for a display of this machine, such as `:0.0`, whose socket is not another user's: anybody can make one
    /// while the session's server is away.
    private static func isLocal(_ display: String, of session: LoginSession, _ facts: SessionFacts) -> Bool {
        let isNumber = display.dropFirst().utf8.allSatisfy { byte in
            byte == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        guard display.hasPrefix(":"), isNumber, let number = Int(name(of: display).dropFirst()) else { return false }
        return facts.displays[number].map { $0 == 0 || $0 == session.user } ?? true
    }

    /// Returns a display without its screen: `:0` for `:0.0`.
    private static func name(of display: String) -> String {
        String(display.prefix { $0 != "." })
    }

    /// Returns a desktop of the user's own outside logind's sessions, such as a virtual one; `nil` if there is none.
    private static func placeWithoutSession(_ facts: SessionFacts) -> DesktopPlace? {
        if let place = namedPlace(facts) { return place }
        let programs = facts.programs.filter { $0.user == facts.user }
        if let name = facts.compositors.min() {
            var variables = programs.first { $0.variables["WAYLAND_DISPLAY"] == name }?.variables ?? [:]
            variables["WAYLAND_DISPLAY"] = name
            variables["XDG_SESSION_TYPE"] = "wayland"
            variables["XDG_RUNTIME_DIR"] = facts.runtimeFolder
            return DesktopPlace(title: "the compositor at \(name)", environment: variables)
        }
        guard let number = facts.displays.filter({ $0.value == facts.user }).keys.min() else { return nil }
        let display = ":\(number)"
        var variables = programs.first { name(of: $0.variables["DISPLAY"] ?? "") == display }?.variables ?? [:]
        variables["DISPLAY"] = display
        let server = servers(of: facts.user, facts).first { $0.display == display }
        variables["XAUTHORITY"] = variables["XAUTHORITY"] ?? server?.authority ?? facts.ownAuthority
        return DesktopPlace(title: "the display \(display)", environment: variables)
    }

    /// Returns the desktop that the service's own variables name, if it is there.
    private static func namedPlace(_ facts: SessionFacts) -> DesktopPlace? {
        let variables = facts.ownVariables
        if let name = variables["WAYLAND_DISPLAY"], facts.compositors.contains(name) {
            return DesktopPlace(title: "the compositor at \(name)", environment: variables)
        }
        guard let display = variables["DISPLAY"], display.hasPrefix(":"),
            let number = Int(name(of: display).dropFirst()), facts.displays[number] != nil
        else { return nil }
        return DesktopPlace(title: "the display \(display)", environment: variables)
    }

    /// Returns the display of the machine's only X server where there is no logind; `nil` if there are none or several.
    private static func placeOfOnlyServer(_ facts: SessionFacts) -> DesktopPlace? {
        let servers = servers(of: facts.user, facts)
        guard servers.count == 1, let display = servers[0].display else { return nil }
        var variables = ["DISPLAY": display]
        variables["XAUTHORITY"] = servers[0].authority
        return DesktopPlace(title: "the display \(display)", environment: variables)
    }
}
