import CXCB
import Foundation
import HelioCore
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

@Suite(.serialized, .tags(.quiet)) struct X11CaptureTests {
    static func soon() -> Instant { MonotonicClock.now + .seconds(5) }

    /// Captures until nothing changes any more.
    static func settle(_ capture: X11ScreenCapture, _ picture: PlanarPicture) throws {
        var quiet = 0
        let patience = Patience()
        while quiet < 2, !patience.isOver,
            try capture.waitForChange(until: MonotonicClock.now + .milliseconds(50)) != .timeout
        {
            picture.markCoded()
            quiet = try capture.capture(into: picture, everything: false) == nil ? quiet + 1 : 0
        }
    }

    /// Captures until the monitors change.
    static func waitForLayout(_ capture: X11ScreenCapture, _ picture: PlanarPicture) throws {
        let patience = Patience()
        while true {
            if patience.isOver { throw NoChange() }
            switch try capture.waitForChange(until: soon()) {
            case .layoutChanged: return
            case .changed: _ = try capture.capture(into: picture, everything: false)
            case .woken: break
            case .timeout: throw NoChange()
            }
        }
    }

    struct NoChange: Error {}

    static func luma(_ p: PlanarPicture, _ x: Int, _ y: Int) -> UInt8 { p.blocks.luma[y * p.blocks.lumaStride + x] }

    /// Y' of pure colours in BT.709, limited range.
    static let red: UInt8 = 63
    static let green: UInt8 = 173
    static let white: UInt8 = 235
    static let black: UInt8 = 16

    @Test(arguments: [true, false], [true, false]) func takesJustWhatChanged(shared: Bool, damage: Bool) throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display, useSharedMemory: shared, useDamage: damage)
        #expect(capture.size == PixelSize(width: 640, height: 400))
        #expect(capture.notes.count == (shared ? 0 : 1) + (damage ? 0 : 1))
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        server.fill(0xFFFFFF, x: 0, y: 0, width: 640, height: 400)
        try Self.settle(capture, picture)
        picture.markCoded()

        server.fill(0xFF0000, x: 100, y: 51, width: 33, height: 7)
        var captured: Captured?
        while captured == nil {
            guard case .changed(let at) = try capture.waitForChange(until: Self.soon()) else {
                Issue.record("no change was reported")
                return
            }
            captured = try capture.capture(into: picture, everything: false)
            if let captured { #expect(at <= captured.captured && captured.captured <= captured.converted) }
        }
        #expect(captured?.damage == Region(PixelRect(x: 96, y: 48, width: 48, height: 16)))
        for y in 0..<400 {
            for x in 0..<640 {
                let isRed = (100..<133).contains(x) && (51..<58).contains(y)
                if Self.luma(picture, x, y) != (isRed ? Self.red : Self.white) {
                    Issue.record("wrong at \(x), \(y)")
                    return
                }
            }
        }
        // Drawing the same again is no change.
        picture.markCoded()
        server.fill(0xFF0000, x: 100, y: 51, width: 33, height: 7)
        if damage {
            guard case .changed = try capture.waitForChange(until: Self.soon()) else {
                Issue.record("no change was reported")
                return
            }
        }
        #expect(try capture.capture(into: picture, everything: false) == nil)
        let everything = try capture.capture(into: picture, everything: true)
        #expect(everything?.damage == Region(PixelRect(capture.size)))
    }

    @Test(arguments: [true, false]) func scalesJustWhatChanged(shared: Bool) throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display, useSharedMemory: shared)
        let size = PixelSize(width: 426, height: 266)
        let picture = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        server.fill(0xFFFFFF, x: 0, y: 0, width: 640, height: 400)
        try Self.settle(capture, picture)
        picture.markCoded()

        server.fill(0xFF0000, x: 150, y: 150, width: 90, height: 30)
        var captured: Captured?
        while captured == nil {
            guard case .changed = try capture.waitForChange(until: Self.soon()) else {
                Issue.record("no change was reported")
                return
            }
            captured = try capture.capture(into: picture, everything: false)
        }
        // 150 to 240 scales to 99.8 to 159.75 here, and 150 to 180 to 99.75 to 119.7; both are extended to whole
        // macroblocks.
        #expect(captured?.damage == Region(PixelRect(x: 96, y: 96, width: 64, height: 32)))
        #expect(Self.luma(picture, 101, 101) == Self.red && Self.luma(picture, 158, 118) == Self.red)
        #expect(Self.luma(picture, 98, 101) == Self.white && Self.luma(picture, 161, 110) == Self.white)
        #expect((Self.red + 1..<Self.white).contains(Self.luma(picture, 99, 110)), "a mixed edge")

        let whole = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        _ = try capture.capture(into: whole, everything: true)
        for y in 0..<size.height {
            for x in 0..<size.width where Self.luma(whole, x, y) != Self.luma(picture, x, y) {
                Issue.record("a part differs from the whole at \(x), \(y)")
                return
            }
        }
    }

    @Test func stillScreenSleepsAndWakes() throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        try Self.settle(capture, picture)
        let start = MonotonicClock.now
        #expect(try capture.waitForChange(until: start + .milliseconds(30)) == .timeout)
        #expect(MonotonicClock.now - start >= .milliseconds(30))
        let wake = capture.waker
        wake()
        #expect(try capture.waitForChange(until: nil) == .woken)
        Thread.detachNewThread { wake() }
        #expect(try capture.waitForChange(until: nil) == .woken)
    }

    @Test func changesAreToldOnceAndKept() throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv444, color: .bt709)
        try Self.settle(capture, picture)
        picture.markCoded()
        server.fill(0x00FF00, x: 0, y: 0, width: 16, height: 16)
        #expect(try capture.waitForChange(until: Self.soon()) != .timeout)
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) == .timeout)
        #expect(capture.hasPendingChanges)
        server.fill(0x00FF00, x: 608, y: 384, width: 16, height: 16)
        #expect(try capture.waitForChange(until: Self.soon()) != .timeout)
        let damage = try capture.capture(into: picture, everything: false)?.damage
        #expect(
            damage.map { Set($0.rects) } == [
                PixelRect(x: 0, y: 0, width: 16, height: 16), PixelRect(x: 608, y: 384, width: 16, height: 16),
            ])
        #expect(!capture.hasPendingChanges)
    }

    /// A change drawn while the pixels of another small change are being fetched is captured with it.
    @Test func strokesThatBelongTogetherAreOnePicture() throws {
        // Without XTEST, the capture can't ask to be served while another client has grabbed the server.
        let server = try XServer(extensions: ["-extension", "XTEST"])
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        server.fill(0xFFFFFF, x: 0, y: 0, width: 640, height: 400)
        try Self.settle(capture, picture)
        picture.markCoded()
        let isHeard = DispatchSemaphore(value: 0)
        // The connection to the server may be used on any thread.
        nonisolated(unsafe) let display = server
        let painter = Thread {
            // The pixels can't be fetched before both changes are drawn.
            display.alone {
                display.fill(0xFF0000, x: 32, y: 32, width: 16, height: 16)
                isHeard.wait()
                display.fill(0x00FF00, x: 320, y: 320, width: 16, height: 16)
            }
        }
        painter.start()
        guard case .changed = try capture.waitForChange(until: Self.soon()) else { throw NoChange() }
        isHeard.signal()
        let captured = try #require(try capture.capture(into: picture, everything: false))
        var both = Region(PixelRect(x: 32, y: 32, width: 16, height: 16))
        both.add(PixelRect(x: 320, y: 320, width: 16, height: 16))
        #expect(captured.damage == both)
        #expect(Self.luma(picture, 40, 40) == Self.red)
        #expect(Self.luma(picture, 328, 328) == Self.green)
    }

    /// Everything drawn at full speed arrives in the end: no damage is lost between its subtraction and the capture.
    @Test func nothingIsLostUnderLoad() throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        let painter = Thread { [display = server.display] in
            guard let connection = xcb_connect(display, nil), let setup = xcb_get_setup(connection) else { return }
            let root = xcb_setup_roots_iterator(setup).data.pointee.root
            let gc = xcb_generate_id(connection)
            xcb_create_gc(connection, gc, root, 0, nil)
            var generator = SeededGenerator(seed: 5)
            for i in 0..<3000 {
                var color: UInt32 = i % 2 == 0 ? 0xFFFFFF : 0
                xcb_change_gc(connection, gc, XCB_GC_FOREGROUND.rawValue, &color)
                var rect = xcb_rectangle_t(
                    x: .random(in: 0..<600, using: &generator), y: .random(in: 0..<380, using: &generator), width: 40,
                    height: 20)
                xcb_poly_fill_rectangle(connection, root, gc, 1, &rect)
                if i % 16 == 0 { xcb_flush(connection) }
            }
            xcb_flush(connection)
            free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil))
            xcb_disconnect(connection)
        }
        painter.start()
        while !painter.isFinished {
            if try capture.waitForChange(until: MonotonicClock.now + .milliseconds(1)) != .timeout {
                _ = try capture.capture(into: picture, everything: false)
            }
        }
        try Self.settle(capture, picture)
        let fresh = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        _ = try capture.capture(into: fresh, everything: true)
        #expect(picture.planar == fresh.planar)
    }

    @Test func followsTheDisplaysSize() throws {
        let server = try XServer(width: 800, height: 600)
        let capture = try X11ScreenCapture(display: server.display)
        var picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        try Self.settle(capture, picture)
        try server.run("xrandr", "--newmode", "odd", "38", "501", "520", "540", "560", "333", "340", "345", "350")
        try server.run("xrandr", "--addmode", "screen", "odd")
        try server.run("xrandr", "--output", "screen", "--mode", "odd")
        server.fill(0x00FF00, x: 0, y: 0, width: 501, height: 333)
        try Self.waitForLayout(capture, picture)
        // Made even by repeating the last row and column.
        #expect(capture.size == PixelSize(width: 502, height: 334))
        #expect(capture.shownSize == PixelSize(width: 501, height: 333))
        #expect(capture.layout.selected.rect == PixelRect(x: 0, y: 0, width: 501, height: 333))
        #expect(try capture.capture(into: picture, everything: false) == nil, "a picture of the old size")
        picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        let captured = try capture.capture(into: picture, everything: false)
        #expect(captured?.damage == Region(PixelRect(x: 0, y: 0, width: 502, height: 334)))
        #expect(Self.luma(picture, 501, 333) == Self.green)
    }

    @Test func aDeadServerIsAnError() throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        let cursor = try X11CursorSource(capture)
        let injector = try XTestInjector(display: server.display)
        try Self.settle(capture, picture)
        server.kill()
        let error = #expect(throws: HelioError.self) { try capture.waitForChange(until: Self.soon()) }
        #expect(error?.code == .captureFailed)
        #expect(throws: HelioError.self) { try capture.capture(into: picture, everything: true) }
        #expect(throws: HelioError.self) { try cursor.takePosition() }
        #expect(throws: HelioError.self) { try cursor.takeShape() }
        injector.movePointer(toX: 1, y: 1)
        injector.type("gone €")
        injector.flush()
    }

    @Test func choosesAMonitor() throws {
        let server = try XServer(width: 800, height: 600)
        let monitors = try X11Monitor.list(display: server.display)
        #expect(monitors.map(\.name) == ["screen"])
        #expect(monitors[0].rect == PixelRect(x: 0, y: 0, width: 800, height: 600))
        // Divides the screen into two monitors.
        try server.run("xrandr", "--setmonitor", "left", "400/100x600/100+0+0", "screen")
        try server.run("xrandr", "--setmonitor", "right", "400/100x500/100+400+100", "none")
        let split = try X11Monitor.list(display: server.display)
        #expect(Set(split.map(\.name)) == ["left", "right"])
        let right = try #require(split.first { $0.name == "right" })
        #expect(right.rect == PixelRect(x: 400, y: 100, width: 400, height: 500))
        for wanted in ["right", String(split.firstIndex(of: right) ?? -1)] {
            let capture = try X11ScreenCapture(display: server.display, monitor: wanted)
            #expect(capture.area == right.rect)
            let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
            server.fill(0, x: 0, y: 0, width: 800, height: 600)
            try Self.settle(capture, picture)
            picture.markCoded()
            server.fill(0xFFFFFF, x: 390, y: 90, width: 42, height: 42)
            #expect(try capture.waitForChange(until: Self.soon()) != .timeout)
            let damage = try capture.capture(into: picture, everything: false)?.damage
            #expect(damage == Region(PixelRect(x: 0, y: 0, width: 32, height: 32)))
            #expect(Self.luma(picture, 31, 31) == Self.white)
            #expect(Self.luma(picture, 32, 31) == Self.black)
        }
        let error = #expect(throws: HelioError.self) {
            try X11ScreenCapture(display: server.display, monitor: "nowhere")
        }
        #expect(error?.message.contains("right") == true)
    }

    @Test func noDisplayIsAnError() {
        let error = #expect(throws: HelioError.self) { try X11ScreenCapture(display: ":12345") }
        #expect(error?.code == .captureFailed)
    }

    @Test func pointer() throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        let cursor = try X11CursorSource(capture)
        let injector = try XTestInjector(display: server.display)
        injector.movePointer(toX: 123, y: 45)
        injector.flush()
        try server.run("xdotool", "getmouselocation")
        let position = try cursor.takePosition()
        #expect(position?.x == 123 && position?.y == 45)
        #expect(try cursor.takePosition() == nil)
        injector.movePointer(byX: -3, y: 5)
        injector.flush()
        let text = try server.run("xdotool", "getmouselocation")
        #expect(text.contains("x:120 y:50"))
        let moved = try cursor.takePosition()
        #expect(moved?.x == 120 && moved?.y == 50)

        let shape = try #require(try cursor.takeShape())
        #expect(shape.rgba.count == shape.size.area * 4 && shape.size.area > 0)
        #expect(shape.rgba.contains { $0 != 0 })
        #expect(try cursor.takeShape() == nil)
        // Sets another cursor for the root window, as a client would.
        let font = xcb_generate_id(server.connection)
        xcb_open_font(server.connection, font, 6, "cursor")
        let id = xcb_generate_id(server.connection)
        xcb_create_glyph_cursor(server.connection, id, font, font, 34, 35, 65535, 0, 0, 0, 0, 65535)
        xcb_change_window_attributes(server.connection, server.root, XCB_CW_CURSOR.rawValue, [id])
        server.sync()
        let other = try #require(try cursor.takeShape())
        #expect(other != shape)
        // Red on blue, each pixel opaque or transparent.
        let pixels = stride(from: 0, to: other.rgba.count, by: 4).map { Array(other.rgba[$0..<$0 + 4]) }
        #expect(Set(pixels).isSubset(of: [[255, 0, 0, 255], [0, 0, 255, 255], [0, 0, 0, 0]]))
        #expect(pixels.contains([255, 0, 0, 255]))
    }

    @Test func premultipliedBecomesStraight() {
        let rgba = ([0x8040_2000, 0xFF12_3456, 0x0000_0000, 0x0101_0101] as [UInt32]).withUnsafeBufferPointer {
            X11CursorSource.straight($0)
        }
        #expect(rgba == [128, 64, 0, 128, 0x12, 0x34, 0x56, 255, 0, 0, 0, 0, 255, 255, 255, 1])
    }
}
