import CXCB
import HelioCore
import HelioGround
import HelioTestLanes
import Testing

@testable import HelioLinuxSource

/// Monitors that are added and removed during a capture.
@Suite(.serialized, .tags(.quiet)) struct X11MonitorTests {
    /// A screen with two monitors side by side, each with its own colour.
    private final class Screen {
        let server: XServer
        let capture: X11ScreenCapture
        var picture: PlanarPicture

        init(right: String = "320/80x400/100+320+0", monitor: String? = "left") throws {
            server = try XServer()
            try server.run("xrandr", "--setmonitor", "left", "320/80x400/100+0+0", "screen")
            try server.run("xrandr", "--setmonitor", "right", right, "none")
            server.fill(0xFF0000, x: 0, y: 0, width: 320, height: 400)
            server.fill(0x00FF00, x: 320, y: 0, width: 320, height: 400)
            capture = try X11ScreenCapture(display: server.display, monitor: monitor)
            picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
            try X11CaptureTests.settle(capture, picture)
        }

        func waitForLayout() throws {
            try X11CaptureTests.waitForLayout(capture, picture)
            picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        }

        /// Captures everything, and returns the luma of the corners.
        func corners() throws -> [UInt8] {
            let captured = try capture.capture(into: picture, everything: true)
            #expect(captured?.damage == Region(PixelRect(capture.size)))
            let (right, bottom) = (capture.size.width - 1, capture.size.height - 1)
            return [(0, 0), (right, 0), (0, bottom), (right, bottom)].map { X11CaptureTests.luma(picture, $0, $1) }
        }
    }

    static let red = X11CaptureTests.red
    static let green = X11CaptureTests.green

    @Test func showsTheSelectedOne() throws {
        let screen = try Screen()
        let capture = screen.capture
        #expect(capture.layout.monitors.map(\.id) == ["left", "right"])
        #expect(capture.layout.selected.id == "left")
        #expect(try screen.corners() == Array(repeating: Self.red, count: 4))

        try capture.select("right")
        #expect(capture.layout.selected.id == "left", "nothing changes before it is told")
        #expect(try capture.capture(into: screen.picture, everything: true) == nil)
        #expect(try capture.waitForChange(until: X11CaptureTests.soon()) == .layoutChanged)
        #expect(capture.layout.selected.id == "right")
        #expect(capture.area == PixelRect(x: 320, y: 0, width: 320, height: 400))
        // The same size: the picture can be kept.
        #expect(try screen.corners() == Array(repeating: Self.green, count: 4))

        // Only changes on the selected monitor count.
        try X11CaptureTests.settle(capture, screen.picture)
        screen.picture.markCoded()
        screen.server.fill(0xFFFFFF, x: 304, y: 0, width: 32, height: 16)
        #expect(try capture.waitForChange(until: X11CaptureTests.soon()) != .timeout)
        let damage = try capture.capture(into: screen.picture, everything: false)?.damage
        #expect(damage == Region(PixelRect(x: 0, y: 0, width: 16, height: 16)))

        let error = #expect(throws: HelioError.self) { try capture.select("middle") }
        #expect(error?.code == .invalidArgument && error?.message.contains("left, right") == true)
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) == .timeout)
    }

    @Test func anotherSize() throws {
        let screen = try Screen(right: "201/50x301/75+320+50")
        try screen.capture.select("right")
        try screen.waitForLayout()
        #expect(screen.capture.size == PixelSize(width: 202, height: 302))
        #expect(screen.capture.shownSize == PixelSize(width: 201, height: 301))
        #expect(screen.capture.layout.selected.rect == PixelRect(x: 320, y: 50, width: 201, height: 301))
        #expect(try screen.corners() == Array(repeating: Self.green, count: 4))
    }

    @Test func unpluggedAndBack() throws {
        let screen = try Screen(monitor: "right")
        #expect(try screen.corners() == Array(repeating: Self.green, count: 4))
        try screen.server.run("xrandr", "--delmonitor", "right")
        try screen.waitForLayout()
        #expect(screen.capture.layout.selected.id == "left")
        #expect(screen.capture.layout.monitors.map(\.id) == ["left"])
        #expect(try screen.corners() == Array(repeating: Self.red, count: 4))
        try screen.server.run("xrandr", "--setmonitor", "right", "320/80x400/100+320+0", "none")
        try screen.waitForLayout()
        #expect(screen.capture.layout.selected.id == "right")
        #expect(try screen.corners() == Array(repeating: Self.green, count: 4))
        // Another monitor is selected: it stays selected whatever monitors are added or removed.
        try screen.capture.select("left")
        try screen.waitForLayout()
        try screen.server.run("xrandr", "--delmonitor", "right")
        try screen.waitForLayout()
        try screen.server.run("xrandr", "--setmonitor", "right", "320/80x400/100+320+0", "none")
        try screen.waitForLayout()
        #expect(screen.capture.layout.selected.id == "left")
    }

    @Test func newNeighboursAreToldAndChangeNothingElse() throws {
        let screen = try Screen()
        try X11CaptureTests.settle(screen.capture, screen.picture)
        try screen.server.run("xrandr", "--setmonitor", "third", "100/25x100/25+540+300", "none")
        #expect(try screen.capture.waitForChange(until: X11CaptureTests.soon()) == .layoutChanged)
        #expect(screen.capture.layout.monitors.map(\.id) == ["left", "right", "third"])
        #expect(screen.capture.layout.selected.id == "left" && !screen.capture.hasPendingChanges)
        #expect(try screen.capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) == .timeout)
        // A monitor that is too small to be coded is not listed.
        try screen.server.run("xrandr", "--setmonitor", "strip", "100/25x8/2+0+0", "none")
        #expect(try X11Monitor.list(display: screen.server.display).map(\.id) == ["left", "right", "third"])
        #expect(try screen.capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) == .timeout)
    }

    @Test func inputAndPointerAreOnTheSelectedOne() throws {
        let screen = try Screen(right: "201/50x301/75+320+50")
        let cursor = try X11CursorSource(screen.capture)
        let injector = try XTestInjector(display: screen.server.display)
        for (id, x, y) in [("left", 10, 20), ("right", 330, 70), ("left", 10, 20)] {
            try screen.capture.select(id)
            if screen.capture.layout.selected.id != id { try screen.waitForLayout() }
            injector.follow(screen.capture.layout.selected)
            injector.movePointer(toX: 10, y: 20)
            injector.flush()
            #expect(try screen.server.run("xdotool", "getmouselocation").contains("x:\(x) y:\(y) "))
            let place = try cursor.takePosition()
            #expect(place?.x == 10 && place?.y == 20)
            injector.movePointer(toX: 0, y: 0)
            injector.flush()
            _ = try screen.server.run("xdotool", "getmouselocation")
            _ = try cursor.takePosition()
        }
    }

    @Test func scaleFollowsTheDesktop() throws {
        let screen = try Screen()
        #expect(screen.capture.layout.selected.scale == 1)
        let resources = [UInt8]("Xcursor.size:\t24\nXft.dpi:\t144\n".utf8)
        xcb_change_property(
            screen.server.connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), screen.server.root,
            XCB_ATOM_RESOURCE_MANAGER.rawValue, XCB_ATOM_STRING.rawValue, 8, UInt32(resources.count), resources)
        screen.server.sync()
        try screen.waitForLayout()
        #expect(screen.capture.layout.monitors.map(\.scale) == [1.5, 1.5])
    }

    @Test(arguments: [
        ("", 1.0), ("Xft.dpi:\t192\n", 2), ("Xft.dpi: 96", 1), ("Xft.dpi:120\nXft.dpi:\t168", 1.75),
        ("*dpi: 192", 1), ("Xft.dpi: many", 1), ("Xft.dpi: 0", 1), ("Xft.dpi: -96", 1), ("Xft.dpi: 1e9", 1),
        ("Xft.dpi: nan", 1), ("Xft.dpi:", 1), ("my.Xft.dpi: 192", 1),
    ]) func scale(resources: String, scale: Double) {
        #expect(X11Scale.scale(resources: resources) == scale)
    }
}
