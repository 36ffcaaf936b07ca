import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Heliograph
import Testing

/// Switching to another monitor of the same machine while viewers watch.
@Suite("Choosing a monitor", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct MonitorTests {
    static let monitor = PixelSize(width: 640, height: 480)
    static let both = PixelSize(width: 1280, height: 480)

    /// Divides a screen into two monitors side by side.
    private static func split(_ desktop: Desktop) throws {
        try desktop.run("xrandr", "--setmonitor", "left", "640/160x480/120+0+0", "screen")
        try desktop.run("xrandr", "--setmonitor", "right", "640/160x480/120+640+0", "none")
    }

    @Test("a key at the host shows the next monitor; clicks land there; the primary one is shown when it is unplugged")
    func command() throws {
        let terminal = try Terminal()
        let desktop = try SharedDesktop(Self.both, destination: Self.monitor, standardInput: terminal.side)
        try desktop.share.line(with: "[?] more")
        desktop.source.fill(SharingTests.patchwork(Self.both))
        try desktop.watch()
        terminal.type("m")
        try desktop.share.line(with: "There is no other monitor.")
        try Self.split(desktop.source)
        try desktop.share.line(with: "The monitor screen is gone. The monitor left is shared from now on, 640x480.")
        try desktop.share.line(with: "Monitors: left (640x480), right (640x480).")
        try Self.expectShown(desktop, at: 0)

        terminal.type("m")
        try desktop.share.line(with: "The monitor right is shared from now on, 640x480.")
        try Self.expectShown(desktop, at: 640)
        // Changes on the new monitor arrive.
        desktop.source.fill([(0xFFFFFF, PixelRect(x: 700, y: 100, width: 64, height: 64))])
        try Self.expectShown(desktop, at: 640)
        let client = try desktop.source.startClient(PixelSize(width: 1280, height: 480), events: ["button"])
        try Self.expectClick(desktop, client, at: 100, 50, lands: "root:(740,50)")

        try desktop.source.run("xrandr", "--delmonitor", "right")
        try desktop.share.line(with: "The monitor right is gone. The monitor left is shared from now on, 640x480.")
        try Self.expectClick(desktop, client, at: 101, 51, lands: "root:(101,51)")
        try Self.expectShown(desktop, at: 0)
        #expect(try !#require(desktop.view).text.contains("Connection lost"))
    }

    @Test("a viewer begins with the monitor that it names, and its key shows the next, to all")
    func viewer() throws {
        let desktop = try SharedDesktop(Self.both, destination: Self.monitor)
        desktop.source.fill(SharingTests.patchwork(Self.both))
        try Self.split(desktop.source)
        try desktop.share.line(with: "Monitors: left (640x480), right (640x480).")
        try desktop.watch(["--monitor", "right"])
        try desktop.share.line(with: "The monitor right is shared from now on, 640x480.")
        let view = try #require(desktop.view)
        try Self.wait(view, toSay: "The host shows its monitor right.")
        try Self.expectShown(desktop, at: 640)
        try desktop.destination.run("xdotool", "mousemove", "300", "200", "click", "1")
        try desktop.destination.run("xdotool", "key", "ctrl+alt+shift+n")
        try view.line(with: "The host shows its monitor left.")
        try Self.expectShown(desktop, at: 0)
        #expect(view.text.contains("The host's monitors: left (640x480), right (640x480)."))
        #expect(!view.text.contains("Connection lost"))
    }

    @Test("where the host names the monitor that it shows, viewers choose no other")
    func fixed() throws {
        let desktop = try SharedDesktop(Self.both, destination: Self.monitor, share: ["--screen", "screen"])
        try desktop.watch(["--monitor", "right"])
        let told = "The host shows no monitor 'right' to viewers, but: screen (1280x480)."
        try Self.wait(try #require(desktop.view), toSay: told)
    }

    /// Output about the monitors may precede the first picture.
    private static func wait(_ view: RunningProgram, toSay text: String) throws {
        if !view.text.contains(text) { try view.line(with: text) }
    }

    @Test("a sink lists the source's monitors, chooses one of them, and hears when it is shown")
    func sink() async throws {
        let desktop = try Desktop(Self.both)
        try Self.split(desktop)
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        (options.address, options.port, options.home) = ("127.0.0.1", 0, home.path)
        options.display = desktop.display
        let source = try await MirrorSource.start(options)
        let sink = try MirrorSink(link: try await source.link.text, video: Diary())
        #expect(sink.monitors.isEmpty && sink.selectedMonitor == nil)
        sink.start()
        func wait(for monitor: String) async throws {
            for await event in sink.events {
                if case .monitors(let list, let selected) = event, selected == monitor {
                    #expect(list == sink.monitors && list.map(\.id) == ["left", "right"])
                    return
                }
            }
            Issue.record("the session has ended")
        }
        try await wait(for: "left")
        let unknown = #expect(throws: HelioError.self) { try sink.selectMonitor("middle") }
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("left (640x480), right") == true)
        try sink.selectMonitor("right")
        try await wait(for: "right")
        #expect(sink.selectedMonitor?.width == 640 && source.selectedMonitor?.id == "right")

        source.takeControl()
        for await event in sink.events {
            if case .permission(let allowed) = event, !allowed { break }
        }
        let refused = #expect(throws: HelioError.self) { try sink.selectMonitor("left") }
        #expect(refused?.code == .refused)
        await sink.stop()
        await source.stop()
    }

    private static func expectShown(_ desktop: SharedDesktop, at x: Int) throws {
        let likeness = try desktop.waitForLikeness(34, size: monitor, at: (x, 0))
        #expect(likeness >= 34, "the part from \(x) on")
    }

    private static func expectClick(
        _ desktop: SharedDesktop, _ client: RunningProgram, at x: Int, _ y: Int, lands place: String
    ) throws {
        try desktop.destination.run("xdotool", "mousemove", "\(x)", "\(y)", "click", "1")
        try client.line(with: "ButtonPress")
        let line = try client.line()
        #expect(line.contains(place), "\(line)")
    }

    /// Records the sizes passed to a decoder, and the kinds of frames.
    private struct Diary: VideoSinkPlugin {
        let entries: AsyncStream<String>
        private let written: AsyncStream<String>.Continuation

        init() { (entries, written) = AsyncStream.makeStream(of: String.self) }

        func initialize(_ attributes: MediaAttributes) { attributesChanged(attributes) }
        func attributesChanged(_ attributes: MediaAttributes) {
            written.yield("\(attributes.width)x\(attributes.height)")
        }
        func receive(_ frame: EncodedFrame) -> Bool {
            written.yield(frame.isKeyframe ? "key" : "delta")
            return true
        }
    }

    @Test("the library lists the monitors, tells of changes, and starts each with a keyframe")
    func library() async throws {
        let desktop = try Desktop(Self.both)
        try Self.split(desktop)
        try desktop.run("xrandr", "--setmonitor", "small", "320/80x240/60+640+240", "none")
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        (options.address, options.port, options.home) = ("127.0.0.1", 0, home.path)
        (options.display, options.screen) = (desktop.display, "left")
        let source = try await MirrorSource.start(options)
        #expect(source.monitors.map(\.id) == ["left", "right", "small"])
        #expect(source.monitors.map(\.width) == [640, 640, 320] && source.monitors.map(\.height) == [480, 480, 240])
        #expect(source.selectedMonitor?.id == "left" && source.selectedMonitor?.scale == 1)
        let error = #expect(throws: HelioError.self) { try source.selectMonitor("middle") }
        #expect(error?.code == .invalidArgument && error?.message.contains("left, right, small") == true)

        let diary = Diary()
        let sink = try MirrorSink(link: try await source.link.text, video: diary)
        sink.start()
        var entries = diary.entries.makeAsyncIterator()
        var events = source.events.makeAsyncIterator()
        #expect(await entries.next() == "640x480")
        #expect(await entries.next() == "key")
        for (id, size) in [("right", nil), ("small", "320x240"), ("left", "640x480")] {
            try source.selectMonitor(id)
            while let event = await events.next() {
                guard case .monitors(let list, let selected) = event else { continue }
                #expect(selected == id && list == source.monitors)
                break
            }
            #expect(source.selectedMonitor?.id == id)
            // Another keyframe of the earlier size may follow: the sink's path became known while the first was
            // encoded.
            var seen = await entries.next()
            while seen == "delta" || seen == "key" && size != nil { seen = await entries.next() }
            if let size {
                #expect(seen == size)
                seen = await entries.next()
            }
            #expect(seen == "key", "\(id) starts with a keyframe")
        }

        try desktop.run("xrandr", "--delmonitor", "right")
        while let event = await events.next() {
            guard case .monitors(let list, let selected) = event else { continue }
            #expect(selected == "left" && list.map(\.id) == ["left", "small"])
            break
        }
        await sink.stop()
        await source.stop()
    }

    @Test("what an app encodes has no monitors")
    func app() async throws {
        try await SDKTests().withSource { source in
            #expect(source.monitors.isEmpty && source.selectedMonitor == nil)
            let error = #expect(throws: HelioError.self) { try source.selectMonitor("left") }
            #expect(error?.code == .invalidArgument)
        }
    }
}
