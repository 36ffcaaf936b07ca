import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// One viewer at a time has control, in a browser or not, and no key stays pressed that nobody holds.
@Suite("In a browser: who drives", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ControlTests {
    private static func expectClick(
        _ client: XClient, x: Int, y: Int, button: Int = 1, _ location: SourceLocation = #_sourceLocation
    ) throws {
        try client.expect(
            [true, false].map { .button(button, isDown: $0, x: x, y: y) }, passingOverKeys: true, location)
    }

    private static func waitForDriver(_ viewer: WebViewer, _ text: String) throws {
        try viewer.page.until("document.querySelector('#driver').textContent === '\(text)'")
    }

    /// Uses the panel's button: it hands control over, or requests it.
    private static func useControlButton(_ viewer: WebViewer) throws {
        try viewer.openPanel("people")
        try viewer.page.click(on: "#control-button")
    }

    @Test("control is asked for, handed over between two browsers, and free when who drives has gone")
    func handOver() throws {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let (one, two) = (try Browser(), try Browser())
        let first = try desktop.viewer(one)
        let second = try desktop.viewer(two)
        try Self.waitForDriver(first, "Nobody is in control")
        try first.click(x: 100, y: 100)
        try Self.expectClick(client, x: 100, y: 100)
        try Self.waitForDriver(first, "You are in control")
        try second.page.until("document.querySelector('#driver').textContent.endsWith(' is in control')")

        // Input of a viewer without control has no effect.
        try second.click(x: 700, y: 500)
        try first.click(x: 110, y: 100)
        try Self.expectClick(client, x: 110, y: 100)

        try Self.useControlButton(second)
        try first.page.click(on: "#request-yes")
        try Self.waitForDriver(second, "You are in control")
        try second.click(x: 300, y: 200)
        try Self.expectClick(client, x: 300, y: 200)
        try first.click(x: 50, y: 50)
        try first.page.until("document.querySelector('#note').textContent.includes(' is in control.')")
        try second.click(x: 310, y: 200)
        try Self.expectClick(client, x: 310, y: 200)

        two.kill()
        try Self.waitForDriver(first, "Nobody is in control")
        try first.click(x: 120, y: 100)
        try Self.expectClick(client, x: 120, y: 100)
        try Self.waitForDriver(first, "You are in control")
        #expect(try first.page.problems() == [])
    }

    @Test("a native viewer and a browser watch one host, and take turns")
    func nativeViewer() throws {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser()
        let viewer = try desktop.viewer(browser)
        try viewer.click(x: 100, y: 100)
        try Self.expectClick(client, x: 100, y: 100)
        try Self.useControlButton(viewer)
        try Self.waitForDriver(viewer, "Nobody is in control")

        // The browser's link also works for the native viewer, as it contains its port.
        #expect(try desktop.newLink().contains(/#[0-9A-Z-]+\.[0-9]+$/))
        let other = try Desktop(desktop.size)
        let manager = try other.startWindowManager()
        let native = try other.start(
            RunningProgram.built("heliograph"),
            ["view", "--stats", "--fullscreen", "--link-file", desktop.folder.path + "/web-link"],
            environment: ["HELIOGRAPH_HOME": desktop.folder.path + "/viewer"])
        defer {
            native.kill()
            manager.kill()
        }
        try native.line(with: "Watching")
        try native.line("statistics with a picture") {
            $0.contains("framesPerSecond") && !$0.contains("\"frames\":0,")
        }

        // The browser has control; the native viewer may not act.
        try viewer.click(x: 105, y: 100)
        try Self.expectClick(client, x: 105, y: 100)
        try native.line(with: "Chrome on Linux is in control.")
        try other.run("xdotool", "search", "--sync", "--name", "Chrome on Linux is in control")
        try other.run("xdotool", "mousemove", "600", "400", "click", "1")
        try viewer.click(x: 110, y: 100)
        try Self.expectClick(client, x: 110, y: 100)

        try Self.useControlButton(viewer)
        try Self.waitForDriver(viewer, "Nobody is in control")
        try native.line(with: "Chrome on Linux is no longer in control.")
        try other.run("xdotool", "mousemove", "500", "300", "click", "3")
        try Self.expectClick(client, x: 500, y: 300, button: 3)
        try viewer.page.until("document.querySelector('#driver').textContent.endsWith(' is in control')")
        #expect(try viewer.page.text(of: "#driver") != "You are in control")
        try viewer.click(x: 120, y: 100)
        try other.run("xdotool", "mousemove", "510", "300", "click", "3")
        try Self.expectClick(client, x: 510, y: 300, button: 3)

        // Each viewer requests control from the other, which grants it.
        try Self.useControlButton(viewer)
        try native.line(with: "Chrome on Linux asks for control.")
        try other.run("xdotool", "key", "ctrl+alt+shift+d")
        try Self.waitForDriver(viewer, "You are in control")
        try native.line(with: "Chrome on Linux is in control.")
        try other.run("xdotool", "key", "ctrl+alt+shift+d")
        try viewer.page.click(on: "#request-yes")
        try native.line(with: "You are in control.")
        try other.run("xdotool", "mousemove", "520", "300", "click", "3")
        try Self.expectClick(client, x: 520, y: 300, button: 3)
    }

    enum Loss: CaseIterable {
        case anotherTab, closed, killed
    }

    @Test(
        "what is held is let go: another tab comes in front, the page is closed, the browser dies",
        arguments: Loss.allCases)
    func held(_ loss: Loss) throws {
        let desktop = try WebDesktop()
        let client = try XClient(desktop.screen, desktop.size)
        let browser = try Browser()
        let viewer = try desktop.viewer(browser, context: "person")
        try viewer.click(x: 400, y: 300)
        try Self.expectClick(client, x: 400, y: 300)
        try viewer.page.press(.shift)
        let shift: UInt32 = 0xFFE1
        #expect(try client.next() == .key(keysym: shift, isDown: true, modifiers: 0))
        try viewer.page.press(.right, try viewer.place(x: 400, y: 300))
        guard case .button(3, true, _, _) = try client.next() else { throw BrowserError(description: "no button") }
        var tab: Page?
        switch loss {
        case .anotherTab: tab = try browser.tab(over: "person")
        case .closed: try viewer.page.close()
        case .killed: browser.kill()
        }
        // The events may be in either order.
        let events = try client.next(2)
        #expect(events.contains(.key(keysym: shift, isDown: false, modifiers: 1)))
        #expect(
            events.contains {
                if case .button(3, false, _, _) = $0 { true } else { false }
            })
        guard tab != nil else { return }
        // A viewer that returns to the page continues.
        try viewer.page.bringToFront()
        try viewer.page.release(.shift)
        try viewer.page.release(.right, try viewer.place(x: 400, y: 300))
        try viewer.click(x: 200, y: 200)
        try Self.expectClick(client, x: 200, y: 200)
    }
}
