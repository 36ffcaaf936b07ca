import HelioCore
import Testing

@testable import HelioLinuxSource

/// Tests which X servers are shared or refused, and the user's notes and errors, by the evidence about the session.
@Suite("The way to capture a session's screen") struct CaptureWayTests {
    /// A session on Wayland in which a compositor answers.
    private static func wayland(
        _ server: SessionEvidence.Server, isNamed: Bool = false, desktops: String = "sway", sessions: [String] = []
    ) -> SessionEvidence {
        SessionEvidence(
            server: server, isServerNamed: isNamed, sessionType: "wayland", compositor: "wayland-1",
            compositorAnswers: true, desktops: desktops, x11Sessions: sessions)
    }

    private static func reasons(_ evidence: SessionEvidence) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: CaptureWay.allCases.map { way in
                let description = way.description(evidence)
                return (description.name, (description.isUsable ? "usable: " : "") + description.reason)
            })
    }

    @Test(
        "a Wayland session is told by its type, by a compositor that answers and by Xwayland",
        arguments: [
            ("wayland", false, .none, true), ("wayland", false, .own(":7"), true), ("x11", true, .own(":0"), false),
            ("tty", true, .none, true), ("", true, .none, true), ("", false, .none, false),
            ("tty", false, .own(":0"), false), ("", false, .xwayland(":0"), true),
            ("x11", false, .xwayland(":1"), true),
        ] as [(String, Bool, SessionEvidence.Server, Bool)])
    func session(type: String, answers: Bool, server: SessionEvidence.Server, isWayland: Bool) {
        let evidence = SessionEvidence(
            server: server, sessionType: type, compositor: "wayland-0", compositorAnswers: answers)
        #expect(evidence.isWayland == isWayland)
    }

    @Test("an X server of its own is shared, and without a word outside of Wayland sessions")
    func own() {
        let x11 = SessionEvidence(server: .own(":0"), sessionType: "x11")
        #expect(CaptureWay.refusal(x11) == nil && CaptureWay.note(x11) == nil)
        #expect(Self.reasons(x11)["x11"] == "usable: the X display :0")
        #expect(Self.reasons(x11)["portal"] == "this is no Wayland session")

        for isNamed in [true, false] {
            let nested = Self.wayland(.own(":7"), isNamed: isNamed)
            #expect(CaptureWay.refusal(nested) == nil)
            #expect(
                CaptureWay.note(nested)
                    == "This is a Wayland session: the X display :7 is shared, not the session's own screen")
            #expect(Self.reasons(nested)["x11"]?.hasPrefix("usable: the X display :7, not") == true)
        }
    }

    @Test("Xwayland is refused in one sentence with the way out, unless the user names it")
    func xwayland() throws {
        let found = Self.wayland(.xwayland(":0"), sessions: ["Openbox", "GNOME on Xorg"])
        let refusal = try #require(CaptureWay.refusal(found))
        #expect(refusal.code == .captureFailed && refusal.remedy == .nameDisplay(":0"))
        #expect(
            refusal.message
                == "This is a Wayland session, whose screen can't be captured here: log out and choose \"GNOME on Xorg\", "
                + "a session on X11, at the log-in screen, or share a desktop in an X server of its own, such as Xephyr."
        )
        #expect(Self.reasons(found)["x11"]?.hasPrefix("usable") == false)

        let named = Self.wayland(.xwayland(":0"), isNamed: true)
        #expect(CaptureWay.refusal(named) == nil)
        #expect(CaptureWay.note(named)?.contains("the rest is black") == true)
        #expect(Self.reasons(named)["x11"]?.hasPrefix("usable") == true)
    }

    @Test("where no session on X11 is installed, the desktop's own is named if it has one")
    func desktops() {
        for (desktops, expected) in [
            ("ubuntu:GNOME", "before GNOME 50"), ("KDE", "before Plasma 6.8"), ("Hyprland", "(Xfce)"), ("", "(Xfce)"),
        ] {
            let message = CaptureWay.refusal(Self.wayland(.xwayland(":0"), desktops: desktops))?.message
            #expect(message?.contains(expected) == true, "\(desktops): \(message ?? "nothing")")
        }
    }

    @Test("without an X server the Wayland session is the reason; a named server that fails is its own")
    func noServer() {
        #expect(CaptureWay.refusal(Self.wayland(.none))?.remedy == .chooseDisplay)
        #expect(CaptureWay.refusal(Self.wayland(.unreachable(":0"))) != nil)
        #expect(CaptureWay.refusal(Self.wayland(.unreachable(":0"), isNamed: true)) == nil)
        #expect(CaptureWay.refusal(SessionEvidence()) == nil)
        #expect(CaptureWay.refusal(SessionEvidence(server: .unreachable(":0"))) == nil)
        #expect(Self.reasons(SessionEvidence())["x11"] == "no X display is named")
    }

    @Test("wlr is usable where the compositor offers screencopy, and preferred to X servers that nobody named")
    func wlr() {
        var session = Self.wayland(.xwayland(":0"))
        #expect(
            Self.reasons(session)["wlr"]
                == "the compositor offers neither zwlr_screencopy_manager_v1 nor ext_image_copy_capture_manager_v1")
        #expect(session.preferred != .wlr)
        // Sessions are of no use without their sources.
        session.compositorOffers = ["ext_image_copy_capture_manager_v1"]
        #expect(session.preferred != .wlr)
        session.compositorOffers.insert("ext_output_image_capture_source_manager_v1")
        #expect(session.preferred == .wlr)
        session.compositorOffers = ["wl_shm", "zwlr_screencopy_manager_v1"]
        #expect(Self.reasons(session)["wlr"] == "usable: the compositor at wayland-1")
        #expect(session.preferred == .wlr)
        #expect(CaptureWay.refusal(session)?.message.contains("captured by its compositor (wlr)") == true)
        session.server = .none
        #expect(session.preferred == .wlr)
        // An X server inside the session, whether named or only in the environment, is what the user means.
        session.server = .own(":7")
        #expect(session.preferred != .wlr)
        session.server = .xwayland(":0")
        session.isServerNamed = true
        #expect(session.preferred != .wlr)
    }

    @Test("a way to capture is chosen by its name")
    func choice() throws {
        _ = try LinuxSource().capturing(by: nil)
        _ = try LinuxSource().capturing(by: "x11")
        let chosen = try LinuxSource().capturing(by: "wlr")
        let contrary = #expect(throws: HelioError.self) { try chosen.monitors(display: ":0") }
        #expect(contrary?.code == .invalidArgument)
        for way in ["gnome", "kde", "portal"] { _ = try LinuxSource().capturing(by: way) }
        let unknown = #expect(throws: HelioError.self) { try LinuxSource().capturing(by: "magic") }
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("x11, wlr, gnome") == true)
    }

    @Test("GNOME's way and the portal's are usable where they answer, and preferred to X servers that nobody named")
    func desktop() {
        for (desktops, own) in [("ubuntu:GNOME", "gnome"), ("KDE", "kde"), ("sway", nil)] {
            let reasons = Self.reasons(Self.wayland(.xwayland(":0"), desktops: desktops))
            let others = Set(["gnome", "kde"]).subtracting([own].compactMap(\.self))
            for other in others { #expect(reasons[other]?.hasPrefix("this desktop is not") == true, "\(reasons)") }
            #expect(reasons["portal"] == "the desktop's portal does not answer")
        }
        var session = Self.wayland(.xwayland(":0"), desktops: "ubuntu:GNOME")
        #expect(Self.reasons(session)["gnome"] == "no Mutter offers its screen on the session's D-Bus")
        session.portal = .whole
        #expect(session.preferred == .portal)
        #expect(Self.reasons(session)["portal"] == "usable: the desktop's portal, which asks on its screen")
        session.hasMutter = true
        #expect(session.preferred == .gnome)
        #expect(Self.reasons(session)["gnome"] == "usable: GNOME's Mutter, which asks nobody")
        #expect(CaptureWay.refusal(session)?.message.contains("captured by its desktop (gnome)") == true)
        session.isServerNamed = true
        #expect(session.preferred == .x11)

        var plasma = Self.wayland(.none, desktops: "KDE")
        plasma.portal = .viewOnly
        #expect(plasma.preferred == .kde)
        #expect(Self.reasons(plasma)["kde"]?.hasSuffix("takes no input: to watch only") == true)
        #expect(CaptureWay.refusal(plasma)?.message.contains("(kde)") == true)
        plasma.portal = .missing("there is no D-Bus of a session")
        #expect(plasma.preferred == .x11 && Self.reasons(plasma)["portal"] == "there is no D-Bus of a session")

        // A service of the user has the session's bus, but not its variables.
        var service = SessionEvidence()
        service.hasMutter = true
        #expect(service.preferred == .gnome && Self.reasons(service)["gnome"]?.hasPrefix("usable") == true)
        service.server = .own(":0")
        #expect(service.preferred == .x11)
    }

    @Test("a compositor that does not answer is said") func dead() {
        var dead = Self.wayland(.none)
        dead.compositorAnswers = false
        #expect(Self.reasons(dead)["wlr"] == "no compositor answers at wayland-1")
        dead.compositor = ""
        #expect(Self.reasons(dead)["kde"] == "WAYLAND_DISPLAY names no compositor")
    }
}
