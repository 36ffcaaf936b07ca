import HelioUnattended
import Testing

@Suite("Which desktop a service shares")
struct DisplayFinderTests {
    private static func session(
        _ id: String, user: UInt32 = 1000, type: String = "x11", kind: String = "user", state: String = "active",
        seat: String = "seat0", display: String = "", terminal: Int = 0
    ) -> LoginSession {
        var session = LoginSession(id: id, user: user)
        session.name = user == 1000 ? "ann" : "user\(user)"
        (session.type, session.kind, session.state, session.seat) = (type, kind, state, seat)
        (session.display, session.terminal) = (display, terminal)
        return session
    }

    private static func server(_ words: String...) throws -> XServerProgram {
        try #require(XServerProgram(["/usr/lib/xorg/Xorg"] + words))
    }

    /// The facts for a user's service, or with 0 for the machine's.
    private static func facts(_ user: UInt32, _ sessions: [LoginSession]) -> SessionFacts {
        var facts = SessionFacts(user: user)
        facts.sessions = sessions
        return facts
    }

    private static func facts(_ sessions: [LoginSession]) -> SessionFacts { facts(1000, sessions) }

    private static func reason(_ search: DesktopSearch) -> String? {
        if case .none(let reason) = search { reason } else { nil }
    }

    // MARK: A user's service

    @Test("a user's session on X11: its display by logind, its key from its programs or the home folder")
    func ownX11() throws {
        var facts = Self.facts([Self.session("2", display: ":1")])
        facts.ownAuthority = "/home/ann/.Xauthority"
        facts.runtimeFolder = "/run/user/1000"
        var place = try #require(DisplayFinder.findOwn(facts).place)
        #expect(
            place.environment == [
                "DISPLAY": ":1", "XAUTHORITY": "/home/ann/.Xauthority", "XDG_SESSION_TYPE": "x11",
                "XDG_SESSION_ID": "2", "XDG_RUNTIME_DIR": "/run/user/1000",
            ])
        #expect(place.title == "the session of ann at :1")
        facts.programs = [
            .init(user: 1000, variables: ["DISPLAY": ":1", "XDG_SESSION_ID": "2"]),
            .init(
                user: 1000,
                variables: [
                    "DISPLAY": ":1", "XAUTHORITY": "/run/user/1000/gdm/Xauthority", "XDG_SESSION_ID": "2",
                    "WAYLAND_DISPLAY": "wayland-0",
                ]),
            .init(user: 1000, variables: ["DISPLAY": ":9", "XAUTHORITY": "x", "XDG_SESSION_ID": "7", "SWAYSOCK": "y"]),
            .init(user: 1001, variables: ["DISPLAY": ":8", "XAUTHORITY": "z", "XDG_SESSION_ID": "2", "SWAYSOCK": "y"]),
        ]
        place = try #require(DisplayFinder.findOwn(facts).place)
        #expect(place.environment["XAUTHORITY"] == "/run/user/1000/gdm/Xauthority")
        #expect(place.environment["DISPLAY"] == ":1" && place.environment["WAYLAND_DISPLAY"] == nil)
    }

    @Test("without logind's display it is that of the session's programs, or of the server on its terminal")
    func displayElsewhere() throws {
        var facts = Self.facts([Self.session("2", terminal: 2)])
        #expect(Self.reason(DisplayFinder.findOwn(facts))?.contains("no display") == true)
        facts.servers = [try Self.server(":3", "vt3"), try Self.server(":4", "vt2", "-auth", "/a")]
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":4")
        #expect(DisplayFinder.findOwn(facts).place?.environment["XAUTHORITY"] == "/a")
        facts.programs = [.init(user: 1000, variables: ["DISPLAY": ":5.0"])]
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":5.0")
    }

    @Test("a user's session on Wayland: its compositor by its programs, or the first socket")
    func ownWayland() throws {
        var facts = Self.facts([Self.session("3", type: "wayland")])
        facts.runtimeFolder = "/run/user/1000"
        facts.compositors = ["wayland-1", "wayland-2"]
        var place = try #require(DisplayFinder.findOwn(facts).place)
        #expect(place.environment["WAYLAND_DISPLAY"] == "wayland-1" && place.title.contains("wayland-1"))
        facts.programs = [
            .init(
                user: 1000,
                variables: [
                    "WAYLAND_DISPLAY": "wayland-2", "DISPLAY": ":0", "XDG_SESSION_ID": "3", "SWAYSOCK": "/s",
                    "XDG_CURRENT_DESKTOP": "sway",
                ])
        ]
        place = try #require(DisplayFinder.findOwn(facts).place)
        #expect(place.environment["WAYLAND_DISPLAY"] == "wayland-2" && place.environment["SWAYSOCK"] == "/s")
        #expect(place.environment["XDG_SESSION_TYPE"] == "wayland")
    }

    @Test("of several sessions the one in front, then the later one; none of others, of consoles, or that is closing")
    func choice() {
        func found(_ sessions: LoginSession...) -> String? {
            DisplayFinder.findOwn(Self.facts(sessions)).place?.environment["DISPLAY"]
        }
        #expect(
            found(
                Self.session("1", state: "active", display: ":1"), Self.session("2", state: "online", display: ":2"))
                == ":1")
        #expect(
            found(
                Self.session("1", state: "online", display: ":1"), Self.session("2", state: "online", display: ":2"))
                == ":2")
        #expect(found(Self.session("1", user: 1001, display: ":1")) == nil)
        #expect(found(Self.session("1", state: "closing", display: ":1")) == nil)
        #expect(found(Self.session("1", type: "tty", display: ":1")) == nil)
        #expect(found(Self.session("1", kind: "greeter", display: ":1")) == nil)
        #expect(found() == nil)
    }

    @Test("without logind: a compositor or display of the user's own, the lowest")
    func withoutLogind() {
        var facts = Self.facts([])
        #expect(Self.reason(DisplayFinder.findOwn(facts)) == "Nobody is logged in to a desktop.")
        facts.displays = [0: 0, 7: 1000, 99: 1000]
        facts.programs = [.init(user: 1000, variables: ["DISPLAY": ":7.0", "XAUTHORITY": "/key"])]
        #expect(DisplayFinder.findOwn(facts).place?.environment == ["DISPLAY": ":7", "XAUTHORITY": "/key"])
        facts.compositors = ["wayland-0"]
        facts.runtimeFolder = "/run/user/1000"
        #expect(
            DisplayFinder.findOwn(facts).place?.environment == [
                "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland", "XDG_RUNTIME_DIR": "/run/user/1000",
            ])
    }

    @Test("without logind a desktop that the service's own variables name goes first, if it is there")
    func named() {
        var facts = Self.facts([])
        facts.displays = [3: 1000, 7: 1000]
        facts.ownVariables = ["DISPLAY": ":7.0", "XAUTHORITY": "/key"]
        #expect(DisplayFinder.findOwn(facts).place?.environment == facts.ownVariables)
        facts.ownVariables["DISPLAY"] = ":8"
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":3")
        facts.ownVariables["DISPLAY"] = "elsewhere:7"
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":3")
        facts.compositors = ["wayland-0", "wayland-1"]
        facts.ownVariables = ["WAYLAND_DISPLAY": "wayland-1"]
        #expect(DisplayFinder.findOwn(facts).place?.environment == facts.ownVariables)
        facts.sessions = [Self.session("2", display: ":1")]
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":1", "a session goes before")
    }

    // MARK: The machine's service

    @Test("the log-in screens of LightDM, GDM and SDDM on X11, with the server's own key")
    func greeters() throws {
        // LightDM tells logind its display, and the server by its command line.
        var facts = Self.facts(0, [Self.session("c1", user: 106, kind: "greeter", display: ":0", terminal: 7)])
        facts.servers = [try Self.server(":0", "-seat", "seat0", "-auth", "/var/run/lightdm/root/:0", "vt7")]
        var place = try #require(DisplayFinder.findInFront(facts).place)
        #expect(place.environment["DISPLAY"] == ":0")
        #expect(place.environment["XAUTHORITY"] == "/var/run/lightdm/root/:0")
        #expect(place.title == "the log-in screen at :0")

        // GDM and SDDM have the server choose the display: the greeter's variables tell it.
        for key in ["/run/user/120/gdm/Xauthority", "/var/run/sddm/{1b5d}"] {
            facts = Self.facts(0, [Self.session("c1", user: 120, kind: "greeter", terminal: 1)])
            facts.servers = [try Self.server("vt1", "-displayfd", "3", "-auth", key)]
            facts.programs = [
                .init(user: 120, variables: ["DISPLAY": ":0", "XAUTHORITY": "/other", "XDG_SESSION_ID": "c1"])
            ]
            place = try #require(DisplayFinder.findInFront(facts).place)
            #expect(place.environment["DISPLAY"] == ":0" && place.environment["XAUTHORITY"] == key)
        }
    }

    @Test("it follows who logs in: the session in front of the seat, and a Wayland one is its user's own")
    func follows() throws {
        let greeter = Self.session("c1", user: 106, kind: "greeter", state: "online", display: ":0")
        let ann = Self.session("2", display: ":1")
        let search = DisplayFinder.findInFront(Self.facts(0, [greeter, ann]))
        #expect(search.place?.title == "the session of ann at :1")
        #expect(search.place?.environment["XDG_RUNTIME_DIR"] == nil, "root has no folder of a user")
        let wayland = Self.session("3", type: "wayland")
        #expect(Self.reason(DisplayFinder.findInFront(Self.facts(0, [wayland])))?.contains("own service") == true)
        let hidden = Self.session("c1", user: 120, type: "wayland", kind: "greeter")
        #expect(
            Self.reason(DisplayFinder.findInFront(Self.facts(0, [hidden])))?.contains("set the log-in manager to X11")
                == true)
        let console = Self.session("4", type: "tty")
        #expect(
            Self.reason(DisplayFinder.findInFront(Self.facts(0, [console]))) == "The session of ann has no desktop.")
        let remote = Self.session("5", seat: "", display: ":10")
        #expect(Self.reason(DisplayFinder.findInFront(Self.facts(0, [remote])))?.contains("No session") == true)
    }

    @Test("of a user's programs the machine's service takes a display of this machine and its key, and nothing else")
    func untrusted() throws {
        var facts = Self.facts(0, [Self.session("2", terminal: 2)])
        func program(_ display: String) -> SessionFacts.Program {
            let variables = [
                "DISPLAY": display, "XAUTHORITY": "/key", "XDG_SESSION_ID": "2", "SWAYSOCK": "/tmp/s",
                "DBUS_SESSION_BUS_ADDRESS": "unixexec:path=/tmp/program", "XDG_RUNTIME_DIR": "/tmp/folder",
            ]
            return .init(user: 1000, variables: variables)
        }
        facts.programs = [program(":1.0")]
        let place = try #require(DisplayFinder.findInFront(facts).place)
        #expect(
            place.environment == [
                "DISPLAY": ":1.0", "XAUTHORITY": "/key", "XDG_SESSION_TYPE": "x11", "XDG_SESSION_ID": "2",
            ])
        facts.displays = [1: 1000]
        #expect(DisplayFinder.findInFront(facts).place != nil)
        facts.displays = [1: 1001]
        #expect(DisplayFinder.findInFront(facts).place == nil, "another user's socket")
        facts.displays = [:]
        for display in ["elsewhere:1", "unix:/tmp/x", "/tmp/x:0", ":", ":1/x", ""] {
            facts.programs = [program(display)]
            #expect(DisplayFinder.findInFront(facts).place == nil, "\(display)")
        }
    }

    @Test("an X server of another user is none of the session's")
    func strangersServer() throws {
        var facts = Self.facts([Self.session("2", terminal: 2)])
        var stranger = try Self.server(":66", "vt2", "-auth", "/tmp/key")
        stranger.owner = 1001
        facts.servers = [stranger]
        #expect(DisplayFinder.findOwn(facts).place == nil)
        facts.servers.append(try Self.server(":1", "vt2", "-auth", "/key"))
        #expect(DisplayFinder.findOwn(facts).place?.environment["DISPLAY"] == ":1")
        facts.user = 0
        #expect(DisplayFinder.findInFront(facts).place?.environment["XAUTHORITY"] == "/key")
        facts.sessions = []
        #expect(DisplayFinder.findInFront(facts).place?.environment["DISPLAY"] == ":1", "the only one of root's")
        facts.servers = [stranger]
        #expect(DisplayFinder.findInFront(facts).place == nil)
    }

    @Test("without logind it is the machine's only X server")
    func onlyServer() throws {
        var facts = Self.facts(0, [])
        facts.servers = [try Self.server(":0", "-auth", "/key")]
        #expect(
            DisplayFinder.findInFront(facts).place?.environment == ["DISPLAY": ":0", "XAUTHORITY": "/key"])
        facts.servers.append(try Self.server(":1"))
        #expect(DisplayFinder.findInFront(facts).place == nil)
    }
}
