import Foundation
import HelioCore
import HelioGround
import HelioLinuxSource
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph view` in a Wayland session, of a host on X11.
@Suite("A viewer in a session of sway", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct WaylandViewerTests {
    private static let size = PixelSize(width: 640, height: 480)

    private let desktop: SharedDesktop
    private let sway: SwayDesktop

    init() throws {
        desktop = try SharedDesktop(Self.size)
        sway = try SwayDesktop(width: Self.size.width, height: Self.size.height)
    }

    private func watch(_ arguments: [String] = []) throws -> RunningProgram {
        let environment = SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"]) { $1 }
        let view = try sway.start(
            SharedDesktop.heliograph, ["view", "--link-file", desktop.folder.path + "/link"] + arguments,
            environment: environment)
        try view.line(with: "The window is a Wayland window.")
        try view.line(with: "Watching")
        return view
    }

    /// Repeats an action until a client of the host's has read its effect.
    private func expect(_ text: String, in client: RunningProgram, by action: () -> Void) {
        #expect(
            Patience().wait {
                action()
                return client.text.contains(text)
            }, "no '\(text)': \(client.text.suffix(500))")
    }

    @Test("keys, clicks and what is copied arrive at the host, and what is copied there comes back") func control()
        throws
    {
        let client = try desktop.source.startClient(Self.size, events: ["keyboard", "button"])
        let input = try WlrInjector(path: sway.socket)
        let view = try watch()
        // Until the host has given control.
        expect("ButtonRelease", in: client) {
            input.movePointer(toX: 320, y: 240)
            input.button(.left, isDown: true)
            input.button(.left, isDown: false)
            input.flush()
        }
        expect("keysym 0x61, a", in: client) {
            input.key(usage: 0x04, isDown: true)
            input.key(usage: 0x04, isDown: false)
            input.flush()
        }
        let text = Array("Grüße über Wayland".utf8)
        let copied = try sway.start("wl-copy", ["--foreground", "Grüße über Wayland"])
        #expect(
            Patience().wait {
                (try? ClipboardPrograms.xclipPaste("UTF8_STRING", on: desktop.source)) == text
            })
        let back = Array("und zurück".utf8)
        let program = try ClipboardPrograms.xclip(back, "UTF8_STRING", on: desktop.source)
        #expect(
            Patience().wait {
                let pasted = try? Tool.run(["wl-paste", "--no-newline"], environment: sway.environment)
                return pasted.map(Array.init) == back
            })
        view.kill(SIGTERM)
        #expect(view.waitUntilExit() == 0)
        withExtendedLifetime((copied, program)) {}
    }

    @Test("a window on another workspace does not hold up the session") func hidden() throws {
        let view = try watch(SharedDesktop.statistics)
        try sway.order("workspace other")
        let white = PixelRect(x: 0, y: 0, width: 64, height: 64)
        var frames: Int?
        // Ten more pictures than at first, long after the compositor has shown the last.
        for turn in 0... {
            desktop.source.fill([(turn % 2 == 0 ? 0xFFFFFF : 0, white)])
            let line = try view.line(with: "\"frames\":")
            let count = try #require(line.firstMatch(of: /"frames":([0-9]+)/).flatMap { Int($0.1) })
            let first = frames ?? count
            frames = first
            if count >= first + 10, turn >= 10 { break }
            try #require(turn < 300, "\(first) pictures, then \(count)")
        }
        view.kill(SIGTERM)
        #expect(view.waitUntilExit() == 0)
    }
}
