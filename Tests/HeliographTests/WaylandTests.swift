import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Runs `share` in a Wayland session, whose screen can't be captured: the user is told so.
@Suite("In a Wayland session", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct WaylandTests {
    private static let share = ["share", "--address", "127.0.0.1", "--port", "0", "--web", "off", "--no-discovery"]

    private let session: WaylandDesktop
    private let home = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)")

    init() throws { session = try WaylandDesktop() }

    /// Starts the program in the session.
    private func start(_ arguments: [String], display: String? = nil) throws -> RunningProgram {
        var environment = session.environment.merging(SharedDesktop.noSound) { $1 }
        environment["HELIOGRAPH_HOME"] = home.path
        if let display { environment["DISPLAY"] = display }
        return try RunningProgram(SharedDesktop.heliograph, arguments, environment: environment)
    }

    private func end(_ program: RunningProgram) {
        program.kill(SIGTERM)
        #expect(program.waitUntilExit() == 0)
        try? FileManager.default.removeItem(at: home)
    }

    @Test("'share' ends with the way out, with Xwayland and without any X server")
    func refusal() throws {
        for (display, remedy) in [(session.display, "--display \(session.display)"), ("", "Set DISPLAY")] {
            let host = try start(Self.share, display: display)
            #expect(host.waitUntilExit() != 0)
            for part in ["This is a Wayland session, whose screen can't be captured here:", "X11", "Xephyr", remedy] {
                #expect(host.text.contains(part), "\(part): \(host.text)")
            }
        }
        try? FileManager.default.removeItem(at: home)
    }

    @Test("the X programs' display is shared where it is named, with a note")
    func named() throws {
        let host = try start(Self.share + ["--display", session.display])
        try host.line(with: "Note: This is a Wayland session: of its screen the X display")
        try host.line(with: "--code")
        end(host)
    }

    @Test("an X server inside the session is shared as anywhere, with a note")
    func nested() throws {
        let desktop = try Desktop(PixelSize(width: 320, height: 240))
        let host = try start(Self.share, display: desktop.display)
        try host.line(with: "Note: This is a Wayland session: the X display \(desktop.display) is shared")
        try host.line(with: "--code")
        end(host)
    }

    @Test("'--list' has every way to capture, each with its reason")
    func list() throws {
        let list = try start(["share", "--list"])
        #expect(list.waitUntilExit() == 0)
        for part in [
            "capture x11: not usable, the X display \(session.display) is Xwayland",
            "capture wlr: not usable, the compositor offers neither zwlr_screencopy_manager_v1 nor",
            "capture gnome: not usable, this desktop is not",
            "capture kde: not usable, this desktop is not",
            "capture portal: not usable, there is no D-Bus of a session",
        ] {
            #expect(list.text.contains(part), "\(part): \(list.text)")
        }
        let whole = try start(["share", "--list", "--verbose"])
        #expect(whole.waitUntilExit() == 0)
        for part in [
            "capture wlr: not usable", "session: type wayland, desktop weston", "global: wl_compositor ", "output: ",
        ] {
            #expect(whole.text.contains(part), "\(part): \(whole.text)")
        }
        let alone = try start(["share", "--verbose"])
        #expect(alone.waitUntilExit() != 0 && alone.text.contains("only with --list"))
        try? FileManager.default.removeItem(at: home)
    }
}
