import HelioUnattended
import Testing

@Suite("What logind and X servers tell")
struct LoginSessionTests {
    @Test("the IDs of sessions; nothing that could be an option")
    func ids() {
        let text = "  2 1000 ann  seat0 tty2\nc1  106 lightdm seat0\n\n--help 0 x\n3;rm 0 x\n"
        #expect(LoginSession.ids(text) == ["2", "c1"])
        #expect(LoginSession.ids("") == [])
        #expect(LoginSession.ids(String(repeating: "1 a\n", count: 1000)).count == 64)
    }

    @Test("sessions with blank lines between them; one without ID or user is left out")
    func list() throws {
        let sessions = LoginSession.list(
            """
            Id=2
            User=1000
            Name=ann
            Type=x11
            Class=user
            State=active
            Seat=seat0
            Display=:0
            VTNr=2
            Remote=no

            Id=9
            Name=nobody

            Id=c1
            User=106
            Type=wayland
            Class=greeter
            State=closing
            Remote=yes
            Later=a=b

            """)
        #expect(sessions.map(\.id) == ["2", "c1"])
        let first = try #require(sessions.first)
        #expect(first.user == 1000 && first.name == "ann" && first.type == "x11" && first.kind == "user")
        #expect(first.state == "active" && first.seat == "seat0" && first.display == ":0" && first.terminal == 2)
        #expect(first.isGraphical && !first.isRemote)
        #expect(sessions[1].kind == "greeter" && sessions[1].isRemote && sessions[1].display.isEmpty)
        #expect(LoginSession.list("") == [] && LoginSession.list("\n\n\n") == [] && LoginSession.list("Id") == [])
    }

    @Test("an X server's command line, as log-in managers write it; Xwayland has no screen of its own")
    func servers() throws {
        let lightdm = try #require(
            XServerProgram([
                "/usr/lib/xorg/Xorg", ":0", "-seat", "seat0", "-auth", "/var/run/lightdm/root/:0", "-nolisten", "tcp",
                "vt7", "-novtswitch",
            ]))
        #expect(lightdm.display == ":0" && lightdm.authority == "/var/run/lightdm/root/:0" && lightdm.terminal == 7)
        let gdm = try #require(
            XServerProgram(["/usr/lib/xorg/Xorg", "vt1", "-displayfd", "3", "-auth", "/run/user/120/gdm/Xauthority"]))
        #expect(gdm.display == nil && gdm.authority == "/run/user/120/gdm/Xauthority" && gdm.terminal == 1)
        #expect(XServerProgram(["Xvfb", ":99", "-screen", "0"])?.display == ":99")
        for words in [[], [""], ["/usr/bin/Xwayland", ":0"], ["/bin/sh", "-c", "Xorg :0"], ["xterm", ":0"]] {
            #expect(XServerProgram(words) == nil, "\(words)")
        }
        #expect(XServerProgram(["X", "-auth"])?.authority == nil)
        #expect(XServerProgram(["X", ":", ":x"])?.display == nil)
    }
}
