import HelioCore
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

@testable import HelioLinuxSource

/// Captures from a compositor of the test's own that offers image-copy-capture.
@Suite("Capture by sessions", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct SessionCaptureTests {
    private static let size = PixelSize(width: 160, height: 64)

    private static func compositor(
        _ globals: [(WaylandInterface, UInt32)] = FakeCompositor.sessionGlobals
    )
        -> FakeCompositor
    {
        FakeCompositor(globals, outputs: [.init("DP-1", size, colour: 0xFFFFFF)])
    }

    private static func picture(of capture: WlrScreenCapture) throws -> PlanarPicture {
        try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
    }

    private static func luma(_ p: PlanarPicture, _ x: Int, _ y: Int) -> UInt8 { WlrCaptureTests.luma(p, x, y) }

    /// Waits until something holds, capturing whatever changes.
    private static func wait(
        for what: String, _ capture: WlrScreenCapture, _ picture: PlanarPicture, _ holds: () -> Bool
    ) throws {
        let patience = Patience()
        while !patience.isOver {
            if holds() { return }
            if case .changed = try capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) {
                _ = try capture.capture(into: picture, everything: false)
            }
        }
        throw Patience.Exhausted(description: "no \(what)")
    }

    @Test("changes are captured where they are; damage without a change wakes nobody, and a still screen costs nothing")
    func changes() throws {
        let compositor = Self.compositor()
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        #expect(capture.size == Self.size && capture.notes.isEmpty)
        let picture = try Self.picture(of: capture)
        #expect(try capture.capture(into: picture, everything: true)?.damage == Region(PixelRect(Self.size)))
        #expect(Self.luma(picture, 159, 63) == 235)
        picture.markCoded()

        // The same picture again, then nothing: of neither does the reader hear.
        compositor.touch("DP-1", PixelRect(Self.size))
        try #require(Patience().wait { compositor.copies >= 2 })
        let pixels = compositor.sessionCounts.pixels
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(60)) == .timeout)
        let copies = compositor.copies
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(60)) == .timeout)
        #expect(compositor.copies == copies && compositor.sessionCounts.pixels == pixels)

        compositor.paint("DP-1", 0xFF0000, PixelRect(x: 20, y: 20, width: 8, height: 8))
        guard case .changed = try capture.waitForChange(until: WlrCaptureTests.soon()) else {
            Issue.record("no change")
            return
        }
        let damage = try capture.capture(into: picture, everything: false)?.damage
        #expect(damage == Region(PixelRect(x: 16, y: 16, width: 16, height: 16)))
        #expect(Self.luma(picture, 20, 20) == 63 && Self.luma(picture, 100, 40) == 235)
    }

    @Test("the pointer is told with its shape and place, and the picture is without it") func pointer() throws {
        let compositor = Self.compositor()
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let cursor = WlrCursorSource(capture)
        let picture = try Self.picture(of: capture)
        _ = try capture.capture(into: picture, everything: true)
        #expect(cursor.takeShape()?.size == PixelSize(width: 1, height: 1), "none is shown before it is known")
        #expect(cursor.takeShape() == nil && cursor.takePosition() == nil && !cursor.isOnScreen)

        var pointer = FakeCompositor.Pointer(
            on: "DP-1", x: 30, y: 40, size: PixelSize(width: 4, height: 4), colour: 0xFF00_FF00)
        compositor.show(pointer)
        try Self.wait(for: "shape", capture, picture) { capture.pointer?.shape != nil }
        #expect(cursor.takeShape()?.rgba.prefix(4) == [0, 0xFF, 0, 0xFF])
        let place = cursor.takePosition()
        #expect(place?.x == 30 && place?.y == 40 && cursor.isOnScreen)
        #expect(cursor.takePosition() == nil && cursor.isOnScreen)
        let copies = compositor.copies
        pointer.x = 31
        compositor.show(pointer)
        try Self.wait(for: "place", capture, picture) { capture.pointer?.x == 31 }
        #expect(cursor.takePosition()?.x == 31 && compositor.copies == copies, "a move copies no picture")
        pointer.x = 1000
        compositor.show(pointer)
        try Self.wait(for: "place outside", capture, picture) { capture.pointer?.x == 1000 }
        #expect(cursor.takePosition() == nil && !cursor.isOnScreen)
        compositor.show(nil)
        try Self.wait(for: "leave", capture, picture) { capture.pointer?.isInside == false }
        #expect(cursor.takeShape()?.rgba == [0, 0, 0, 0])
    }

    @Test("for clients that can't draw it, the pointer is drawn into what is captured, and taken out again")
    func drawn()
        throws
    {
        let compositor = Self.compositor()
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try Self.picture(of: capture)
        _ = try capture.capture(into: picture, everything: true)
        let black = CursorShape(
            size: PixelSize(width: 8, height: 8), hotspotX: 0, hotspotY: 0,
            rgba: (0..<64).flatMap { _ in [0, 0, 0, 255] as [UInt8] })
        capture.draw(DrawnPointer(shape: black, x: 40, y: 20))
        #expect(
            try WlrCaptureTests.captured(capture, picture).damage
                == Region(PixelRect(x: 32, y: 16, width: 16, height: 16)))
        #expect(Self.luma(picture, 41, 21) == 16 && Self.luma(picture, 50, 30) == 235)
        picture.markCoded()
        capture.draw(nil)
        _ = try WlrCaptureTests.captured(capture, picture)
        #expect(Self.luma(picture, 41, 21) == 235)
    }

    @Test("a compositor whose sessions give no picture is captured by its screencopy, if it has that") func fallback()
        throws
    {
        let both = FakeCompositor.sessionGlobals + [(.screencopyManager, 3)]
        for isRefused in [true, false] {
            let compositor = Self.compositor(both)
            if isRefused { compositor.offer(formats: [0x3231_5659]) } else { compositor.failSessions(.unknown) }
            let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
            #expect(capture.notes.count == 1, "there the pointer is a part of the picture")
            let picture = try Self.picture(of: capture)
            _ = try WlrCaptureTests.captured(capture, picture, everything: true)
            #expect(Self.luma(picture, 5, 5) == 235)
        }
        let alone = Self.compositor()
        alone.failSessions(.unknown)
        let error = #expect(throws: HelioError.self) { try WlrScreenCapture(alone.connect(), monitor: nil) }
        #expect(error?.message.contains("switched off") == true)
    }

    @Test("an output that changes its size, turns, or is gone is followed, and a session that ends begins again")
    func outputs() throws {
        let compositor = Self.compositor()
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        var picture = try Self.picture(of: capture)
        _ = try capture.capture(into: picture, everything: true)
        compositor.change("DP-1") { output in
            output.mode = PixelSize(width: 80, height: 48)
            output.transform = 1
        }
        try WlrCaptureTests.waitForLayout("it is turned", capture, picture) {
            capture.size == PixelSize(width: 48, height: 80)
        }
        picture = try Self.picture(of: capture)
        #expect(
            try WlrCaptureTests.captured(capture, picture, everything: true).damage == Region(PixelRect(capture.size)))

        compositor.stopSessions(of: "DP-1")
        compositor.paint("DP-1", 0)
        try Self.wait(for: "picture after the end", capture, picture) { Self.luma(picture, 1, 1) == 16 }
        compositor.add(.init("DP-2", PixelSize(width: 64, height: 64), colour: 0xFF0000))
        compositor.remove("DP-1")
        try WlrCaptureTests.waitForLayout("the other takes over", capture, picture) {
            capture.layout.selected.id == "DP-2"
        }
        picture = try Self.picture(of: capture)
        _ = try WlrCaptureTests.captured(capture, picture, everything: true)
        #expect(Self.luma(picture, 1, 1) == 63)
    }

    @Test("an output that is switched off is told, and shown when it is back") func off() throws {
        let compositor = Self.compositor()
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try Self.picture(of: capture)
        _ = try capture.capture(into: picture, everything: true)
        compositor.failCopies(true)
        compositor.touch("DP-1", PixelRect(Self.size))
        try WlrCaptureTests.waitForLayout("it is off", capture, picture) { capture.isOff }
        compositor.paint("DP-1", 0)
        compositor.failCopies(false)
        try WlrCaptureTests.waitForLayout("it is on", capture, picture) { !capture.isOff }
        _ = try WlrCaptureTests.captured(capture, picture)
        #expect(Self.luma(picture, 0, 0) == 16)
    }
}
