import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

/// Runs the probes against real servers: Xvfb, and Weston with Xwayland.
@Suite("What is found of a session", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct SessionProbeTests {
    @Test("Xvfb is a server of its own, also in a Wayland session, and is captured")
    func own() throws {
        let server = try XServer()
        let kind = try SessionProbe.server(X11Connection(display: server.display))
        #expect(kind == .own(server.display))
        let session = try WaylandDesktop()
        let evidence = SessionProbe.evidence(kind, isNamed: false) { session.environment[$0] }
        #expect(evidence.isWayland && CaptureWay.refusal(evidence) == nil)
    }

    @Test("Xwayland is told from other servers, and is captured where it is named")
    func xwayland() throws {
        let session = try WaylandDesktop()
        let kind = try SessionProbe.server(X11Connection(display: session.display))
        #expect(kind == .xwayland(session.display))
        // Without the session's variables, as in a program that was started elsewhere, the server alone reveals Xwayland.
        let evidence = SessionProbe.evidence(kind, isNamed: false) { _ in nil }
        #expect(CaptureWay.refusal(evidence)?.remedy == .nameDisplay(session.display))
        let capture = try X11ScreenCapture(display: session.display)
        #expect(capture.notes.contains { $0.contains("the rest is black") }, "\(capture.notes)")
    }

    @Test("a compositor's socket answers while it runs, by its name and by its path")
    func socket() throws {
        var session: WaylandDesktop? = try WaylandDesktop()
        var variables = try #require(session?.environment)
        func answers() -> Bool {
            SessionProbe.evidence(.none, isNamed: false) { variables[$0] }.compositorAnswers
        }
        #expect(answers())
        let (folder, name) = (variables["XDG_RUNTIME_DIR"] ?? "", variables["WAYLAND_DISPLAY"] ?? "")
        variables["WAYLAND_DISPLAY"] = folder + "/" + name
        variables["XDG_RUNTIME_DIR"] = nil
        #expect(answers())
        session = nil
        #expect(!answers())
        variables["WAYLAND_DISPLAY"] = "/" + String(repeating: "x", count: 200)
        #expect(!answers())
        variables["WAYLAND_DISPLAY"] = name
        #expect(!answers(), "a name without a folder")
    }

    @Test("a session without the compositor's variable has the usual one's name")
    func usualName() {
        func compositor(_ type: String) -> String {
            SessionProbe.evidence(.none, isNamed: false) { $0 == "XDG_SESSION_TYPE" ? type : nil }.compositor
        }
        #expect(compositor("wayland") == "wayland-0")
        #expect(compositor("x11").isEmpty && compositor("").isEmpty)
    }

    @Test("sessions on X11 have the names of their files, but for hidden ones and those that are Wayland's too")
    func sessions() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let (x11, wayland) = (folder.appending(path: "x11"), folder.appending(path: "wayland"))
        for (place, name, text) in [
            (x11, "b.desktop", "[Desktop Entry]\nName[de]=Zwei\nName=Two\nExec=two\n"),
            (x11, "a.desktop", "[Desktop Entry]\nName=One\n[Action]\nName=Other\n"),
            (x11, "hidden.desktop", "[Desktop Entry]\nName=Hidden\nNoDisplay=true\n"),
            (x11, "nameless.desktop", "[Desktop Entry]\n"), (x11, "empty.desktop", ""), (x11, "notes.txt", "Name=No\n"),
            (x11, "both.desktop", "[Desktop Entry]\nName=Both\n"),
            (wayland, "both.desktop", "[Desktop Entry]\nName=Both\n"),
        ] {
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try text.write(to: place.appending(path: name), atomically: true, encoding: .utf8)
        }
        #expect(X11Sessions.names(in: x11.path, but: wayland.path) == ["One", "Two"])
        #expect(X11Sessions.names(in: folder.path + "/none", but: wayland.path).isEmpty)
    }
}
