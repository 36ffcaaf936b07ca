/// The facts about this machine's sessions and displays from which ``DisplayFinder`` chooses.
package struct SessionFacts: Sendable, Equatable {
    /// A program of a session, by those of its environment variables that name its desktop.
    package struct Program: Sendable, Equatable {
        package var user: UInt32
        package var variables: [String: String]

        package init(user: UInt32, variables: [String: String]) {
            self.user = user
            self.variables = variables
        }
    }

    /// The variables of a session that a program needs to reach its desktop.
    package static let variables = [
        "DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "SWAYSOCK", "XDG_SESSION_TYPE", "XDG_SESSION_ID",
        "XDG_CURRENT_DESKTOP", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    ]

    /// The user whose service this is.
    package var user: UInt32
    /// The service's own variables that name a desktop: somebody may have set them for it.
    package var ownVariables: [String: String] = [:]
    /// The sessions of logind; empty where there is no logind.
    package var sessions: [LoginSession] = []
    package var programs: [Program] = []
    package var servers: [XServerProgram] = []
    /// The displays whose sockets are in /tmp/.X11-unix, by their numbers, with the socket's owner.
    package var displays: [Int: UInt32] = [:]
    /// The names of the compositors' sockets in the user's runtime folder.
    package var compositors: [String] = []
    /// The user's runtime folder; empty if there is none.
    package var runtimeFolder = ""
    /// The user's own file of displays' keys, `~/.Xauthority`; `nil` if there is none.
    package var ownAuthority: String?

    package init(user: UInt32) { self.user = user }
}
