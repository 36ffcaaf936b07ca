import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// The complete path, with the real programs on real X servers.
@Suite("Share and view", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct SharingTests {
    static let small = PixelSize(width: 854, height: 480)

    /// Returns patches of various sizes and colours, equal for equal seeds.
    static func patchwork(_ size: PixelSize, seed: UInt64 = 1, count: Int = 150) -> [(color: UInt32, rect: PixelRect)] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            // Even coordinates and sizes: the edges are visible at half chroma resolution.
            let width = Int.random(in: 8...size.width / 4, using: &generator) & ~1
            let height = Int.random(in: 8...size.height / 4, using: &generator) & ~1
            let x = Int.random(in: 0..<size.width - width, using: &generator) & ~1
            let y = Int.random(in: 0..<size.height - height, using: &generator) & ~1
            return (
                UInt32.random(in: 0...0xFF_FFFF, using: &generator), PixelRect(x: x, y: y, width: width, height: height)
            )
        }
    }

    @Test("a known picture arrives", arguments: [("420", 36.0), ("444", 44.0)])
    func picture(chroma: String, decibels: Double) throws {
        let desktop = try SharedDesktop(Self.small, share: ["--chroma", chroma])
        desktop.source.fill(Self.patchwork(Self.small))
        try desktop.watch()
        #expect(try desktop.waitForLikeness(decibels) >= decibels)
        // Changes while watching arrive as well.
        desktop.source.fill(Self.patchwork(Self.small, seed: 2, count: 5))
        #expect(try desktop.waitForLikeness(decibels) >= decibels)
    }

    @Test(
        "colours are right at every height (rows 90 to 92)",
        arguments: [
            PixelSize(width: 640, height: 480), PixelSize(width: 1280, height: 720),
            PixelSize(width: 1920, height: 1080),
        ])
    func colors(size: PixelSize) throws {
        let colors: [UInt32] = [
            0xFF0000, 0x00FF00, 0x0000FF, 0xFFFF00, 0xFF00FF, 0x00FFFF, 0xFFFFFF, 0x000000, 0x808080, 0xC08040,
            0x204080,
            0x103010,
        ]
        let desktop = try SharedDesktop(size)
        let width = size.width / colors.count
        let rects = colors.indices.map { PixelRect(x: $0 * width, y: 0, width: width, height: size.height) }
        desktop.source.fill(Array(zip(colors, rects)).map { (color: $0.0, rect: $0.1) })
        try desktop.watch()
        // The first picture is limited to the path's initial rate; a still screen is refined afterwards.
        var wrong: [String] = []
        let isRight = try desktop.destination.wait(Patience(.seconds(15))) {
            let shown = try desktop.destination.screenshot(size)
            wrong = zip(colors, rects).compactMap { color, rect in
                let seen = shown.color(x: rect.x + width / 2, y: size.height / 2)
                let wanted = (Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255))
                let error = max(abs(seen.red - wanted.0), abs(seen.green - wanted.1), abs(seen.blue - wanted.2))
                return error <= 4 ? nil : "\(String(color, radix: 16)) is shown as \(seen)"
            }
            return wrong.isEmpty
        }
        #expect(isRight, "at \(size): \(wrong)")
    }

    @Test("another size and a turned screen are followed without a restart (row 74)")
    func resize() throws {
        let desktop = try SharedDesktop(PixelSize(width: 800, height: 800))
        try desktop.watch(["--scale", "1:1"])
        for (width, height) in [(640, 480), (480, 640), (800, 800)] {
            let size = PixelSize(width: width, height: height)
            let mode = "\(size)-now"
            try desktop.source.run(
                "xrandr", "--newmode", mode, "38", "\(width)", "\(width + 20)", "\(width + 40)", "\(width + 60)",
                "\(height)", "\(height + 7)", "\(height + 12)", "\(height + 17)")
            try desktop.source.run("xrandr", "--addmode", "screen", mode)
            try desktop.source.run("xrandr", "--output", "screen", "--mode", mode)
            try desktop.share.line(with: "display is \(size)")
            desktop.source.fill(Self.patchwork(size, seed: UInt64(width)))
            let line = try #require(desktop.view).line("statistics of \(width) pixels") {
                $0.contains("framesPerSecond") && $0.contains("\"width\":\(width)}")
            }
            #expect(line.contains("\"height\":\(height),"))
        }
        #expect(try desktop.waitForLikeness(30) >= 30)
    }

    /// The number of attempts; `HELIO_STARTS` sets another.
    static let starts = ProcessInfo.processInfo.environment["HELIO_STARTS"].flatMap(Int.init) ?? 1

    @Test("who comes first is sent one keyframe, and then what refines it", arguments: 0..<starts)
    func oneKeyframe(_: Int) async throws {
        let desktop = try SharedDesktop(Self.small)
        desktop.source.fill(Self.patchwork(Self.small))
        let sink = try MirrorSink(link: try desktop.link)
        sink.start()
        var kinds: [Bool] = []
        for await case .received(.video, let frame) in sink.events {
            kinds.append(frame.isKeyframe)
            if kinds.count == 2 { break }
        }
        await sink.stop()
        #expect(kinds == [true, false])
    }

    @Test("a killed viewer is noticed, and the next one is let in by the new link")
    func killedViewer() throws {
        let desktop = try SharedDesktop(Self.small)
        let used = try desktop.link
        try desktop.watch()
        try #require(desktop.view).kill()
        try desktop.share.line(with: "no longer watches")
        #expect(try desktop.link != used)
        try desktop.watch()
    }

    @Test("a killed host is noticed and said")
    func killedHost() throws {
        let desktop = try SharedDesktop(Self.small)
        try desktop.watch()
        desktop.share.kill()
        try #require(desktop.view).line(with: "Connection lost")
    }

    @Test("a host that stops says so, and the viewer's window stays until it is closed")
    func stoppedHost() throws {
        let desktop = try SharedDesktop(Self.small, share: ["--name", "tower"])
        try desktop.watch()
        // A viewer that has only a link shows the host's own name.
        try desktop.destination.run("xdotool", "search", "--sync", "--name", "Heliograph: tower")
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        let view = try #require(desktop.view)
        try view.line(with: "tower has stopped sharing.")
        try desktop.destination.run("xdotool", "search", "--sync", "--name", "Heliograph: tower")
        try desktop.destination.run("xdotool", "key", "ctrl+alt+shift+q")
        #expect(view.waitUntilExit() == 0)
    }

    @Test("a viewer that was told to end with the session does so")
    func closedAtEnd() throws {
        let desktop = try SharedDesktop(Self.small)
        try desktop.watch(["--close-at-end"])
        desktop.share.kill(SIGTERM)
        #expect(desktop.share.waitUntilExit() == 0)
        let view = try #require(desktop.view)
        #expect(view.waitUntilExit() != 0)
        #expect(view.text.contains("stopped sharing"))
    }

    @Test("Ctrl-C in the viewer's terminal is leaving, as closing its window is", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(by signal: Int32) throws {
        let desktop = try SharedDesktop(Self.small)
        let file = desktop.folder.path + "/take.mkv"
        try desktop.watch(["--record", file])
        let view = try #require(desktop.view)
        try view.goOn(for: .seconds(1))
        view.kill(signal)
        #expect(view.waitUntilExit() == 0)
        #expect(try desktop.share.line(with: "no longer watches").contains("left"))
        let length = try String(
            decoding: Tool.run([
                "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", file,
            ]), as: UTF8.self)
        #expect(Double(length.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 0.5, "\(length)")
    }

    @Test("without a screen to open its window on, a viewer says so and leaves the link for another")
    func noScreen() throws {
        let desktop = try SharedDesktop(Self.small)
        let link = try desktop.link
        for display in ["", ":4094"] {
            let blind = try RunningProgram(
                SharedDesktop.heliograph, ["view", link],
                environment: [
                    "DISPLAY": display, "WAYLAND_DISPLAY": "", "HELIOGRAPH_HOME": desktop.folder.path + "/blind",
                ])
            #expect(blind.waitUntilExit() != 0)
            #expect(blind.text.contains("There is no screen to open a window on"), "\(blind.text)")
            #expect(blind.text.contains("set DISPLAY"))
        }
        #expect(try desktop.link == link)
        try desktop.watch()
    }

    @Test("a second host on one machine takes free ports, unless it was told which")
    func second() throws {
        let port = try #require(LoopbackPort.find())
        let desktop = try SharedDesktop(Self.small, share: ["--port", "\(port)"])
        let taken = try desktop.source.start(
            SharedDesktop.heliograph, ["share", "--address", "127.0.0.1", "--port", "\(port)", "--no-discovery"],
            environment: SharedDesktop.noSound.merging(["HELIOGRAPH_HOME": desktop.folder.path + "/other"]) { $1 })
        #expect(taken.waitUntilExit() != 0)
        #expect(taken.text.contains("Port \(port) is used by another program"), "\(taken.text)")
        #expect(!taken.text.contains("errno"))
        // In a separate network namespace, the usual port is taken by another program.
        let both = try desktop.source.start(
            "unshare",
            [
                "-n", "bash", "-c",
                """
                ip link set lo up
                share() { HELIOGRAPH_HOME=$2 exec "$1" share --address 127.0.0.1 --no-discovery; }
                share "$0" "$1/one" > "$1/first" 2>&1 &
                until grep -q -- --code "$1/first"; do sleep 0.1; done
                share "$0" "$1/two"
                """, SharedDesktop.heliograph, desktop.folder.path,
            ], environment: SharedDesktop.noSound)
        try both.line(with: "Note: another program has port 7236, so this one is at port ")
        try both.line(with: "--code")
    }

    @Test("a reused link, a wrong one and none are refused with a word on what to do")
    func links() throws {
        let desktop = try SharedDesktop(Self.small)
        let used = try desktop.link
        try desktop.watch()

        let reused = try desktop.startViewer([used])
        #expect(reused.waitUntilExit() != 0)
        #expect(reused.text.contains("has been used"))

        var wrong = try desktop.link
        wrong.removeLast()
        wrong.append(try desktop.link.last == "0" ? "1" : "0")
        let guessed = try desktop.startViewer([wrong])
        #expect(guessed.waitUntilExit() != 0)
        #expect(guessed.text.contains("does not know this link"))

        let foreign = try desktop.link.replacing("/#", with: "/#00")
        let damaged = try desktop.startViewer([foreign])
        #expect(damaged.waitUntilExit() != 0)
        #expect(damaged.text.contains("fingerprint is damaged"))

        let none = try desktop.startViewer([])
        #expect(none.waitUntilExit() != 0)
        #expect(none.text.contains("Give the link"))
        // The session was not affected.
        try #require(desktop.view).goOn(for: .milliseconds(500))
    }

    @Test("no secret shows in the process list or on the host's output but the link itself")
    func secrets() throws {
        let desktop = try SharedDesktop(Self.small)
        let link = try desktop.link
        let viewer = try desktop.startViewer([link])
        try viewer.line(with: "Watching")
        let arguments = try Data(contentsOf: URL(fileURLWithPath: "/proc/\(viewer.processIdentifier)/cmdline"))
        let secret = try #require(link.split(separator: ".").last)
        #expect(!String(decoding: arguments, as: UTF8.self).contains(secret))
        let mode = try FileManager.default.attributesOfItem(atPath: desktop.folder.path + "/host/key.pem")[
            .posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        viewer.kill()
    }
}
