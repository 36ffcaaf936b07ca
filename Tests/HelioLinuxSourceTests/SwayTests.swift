import Foundation
import HelioCore
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

/// Captures and drives a real compositor: Debian's sway.
@Suite("A session of sway", .serialized, .timeLimit(.minutes(2)), .tags(.quiet)) struct SwayTests {
    private static func picture(of capture: WlrScreenCapture) throws -> PlanarPicture {
        try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
    }

    /// Captures until the picture is as wanted.
    private static func wait(
        for what: String, _ capture: WlrScreenCapture, _ picture: inout PlanarPicture, _ holds: (PlanarPicture) -> Bool
    ) throws {
        let patience = Patience()
        while !patience.isOver {
            if picture.sourceSize == capture.size, holds(picture) { return }
            switch try capture.waitForChange(until: MonotonicClock.now + .seconds(5)) {
            case .layoutChanged:
                picture = try Self.picture(of: capture)
                _ = try capture.capture(into: picture, everything: true)
            case .changed: _ = try capture.capture(into: picture, everything: false)
            case .timeout, .woken: break
            }
        }
        throw Patience.Exhausted(description: "no \(what)")
    }

    /// Captures until nothing changes for a while.
    private static func settle(_ capture: WlrScreenCapture, _ picture: PlanarPicture) throws {
        let patience = Patience()
        while !patience.isOver {
            switch try capture.waitForChange(until: MonotonicClock.now + .milliseconds(300)) {
            case .timeout: return picture.markCoded()
            case .layoutChanged: _ = try capture.capture(into: picture, everything: true)
            case .changed, .woken: _ = try capture.capture(into: picture, everything: false)
            }
        }
        throw Patience.Exhausted(description: "the screen is never still")
    }

    private static func luma(_ p: PlanarPicture, _ x: Int, _ y: Int) -> UInt8 { WlrCaptureTests.luma(p, x, y) }

    /// True if all pixels have this luma.
    private static func isAll(_ luma: UInt8, _ p: PlanarPicture) -> Bool {
        (0..<p.size.height).allSatisfy { y in (0..<p.size.width).allSatisfy { Self.luma(p, $0, y) == luma } }
    }

    @Test("its screen is captured to the pixel, changes alone, and nothing while it is still") func capture() throws {
        let sway = try SwayDesktop(background: "ffffff")
        let capture = try WlrScreenCapture(path: sway.socket)
        #expect(capture.size == PixelSize(width: 640, height: 400) && capture.layout.selected.id == "HEADLESS-1")
        var picture = try Self.picture(of: capture)
        _ = try capture.capture(into: picture, everything: true)
        try Self.wait(for: "white screen", capture, &picture) { Self.isAll(X11CaptureTests.white, $0) }
        try Self.settle(capture, picture)
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(500)) == .timeout)

        // The pointer is a part of the picture: what changes is where it is, and where it was.
        let injector = try WlrInjector(path: sway.socket)
        injector.movePointer(toX: 300, y: 200)
        injector.flush()
        func isPointer(_ x: Int, _ y: Int, in picture: PlanarPicture) -> Bool {
            (0..<16).contains { Self.luma(picture, x + $0, y + $0) != X11CaptureTests.white }
        }
        try Self.wait(for: "pointer", capture, &picture) { isPointer(300, 200, in: $0) }
        try Self.settle(capture, picture)
        injector.movePointer(toX: 340, y: 230)
        injector.flush()
        var damage = Region()
        let patience = Patience()
        while !isPointer(340, 230, in: picture), !patience.isOver {
            guard case .changed = try capture.waitForChange(until: MonotonicClock.now + .seconds(5)) else { continue }
            if let captured = try capture.capture(into: picture, everything: false) { damage.add(captured.damage) }
        }
        let around = PixelRect(x: 256, y: 160, width: 160, height: 128)
        #expect(!damage.isEmpty && damage.rects.allSatisfy { around.contains($0) }, "\(damage.rects)")

        try sway.order("output HEADLESS-1 bg #ff0000 solid_color")
        try Self.wait(for: "red screen", capture, &picture) { Self.luma($0, 5, 5) == X11CaptureTests.red }
        let fresh = try Self.picture(of: capture)
        try Self.settle(capture, picture)
        _ = try capture.capture(into: fresh, everything: true)
        #expect(fresh.planar == picture.planar, "what is captured by changes is what is captured at once")
    }

    @Test("its outputs change size, turn, scale and number while they are captured") func outputs() throws {
        let sway = try SwayDesktop(background: "00ff00")
        let capture = try WlrScreenCapture(path: sway.socket)
        var picture = try Self.picture(of: capture)
        try sway.order("output HEADLESS-1 mode 501x333")
        try Self.wait(for: "other size", capture, &picture) {
            $0.size == PixelSize(width: 502, height: 334) && Self.isAll(X11CaptureTests.green, $0)
        }
        #expect(capture.shownSize == PixelSize(width: 501, height: 333))
        try sway.order("output HEADLESS-1 transform 90")
        try Self.wait(for: "turn", capture, &picture) { $0.size == PixelSize(width: 334, height: 502) }
        try sway.order("output HEADLESS-1 transform normal scale 1.5 mode 600x300")
        try Self.wait(for: "scale", capture, &picture) { picture in
            capture.layout.selected.scale == 1.5 && picture.size == PixelSize(width: 600, height: 300)
        }

        try sway.order("create_output")
        try Self.wait(for: "second output", capture, &picture) { _ in capture.layout.monitors.count == 2 }
        try capture.select("HEADLESS-2")
        try Self.wait(for: "second picture", capture, &picture) { _ in capture.layout.selected.id == "HEADLESS-2" }
        try Self.wait(for: "its background", capture, &picture) { Self.luma($0, 9, 9) == X11CaptureTests.green }
        let listed = try LinuxSource.outputs(at: sway.socket)
        #expect(listed.map(\.id) == ["HEADLESS-1", "HEADLESS-2"] && listed == capture.layout.monitors)
    }

    @Test("all outputs are captured at once, each by its own capture, whatever their scale and turn") func several()
        throws
    {
        let sway = try SwayDesktop(background: "00ff00")
        try sway.order("create_output")
        try sway.order("output HEADLESS-2 mode 300x200 position 640 0 scale 1.5 transform 180 bg #ff0000 solid_color")
        let first = try WlrScreenCapture(path: sway.socket, monitor: "HEADLESS-1")
        let second = try WlrScreenCapture(path: sway.socket, monitor: "HEADLESS-2")
        var (one, two) = (try Self.picture(of: first), try Self.picture(of: second))
        for (capture, picture) in [(first, one), (second, two)] {
            _ = try capture.capture(into: picture, everything: true)
        }
        try Self.wait(for: "green", first, &one) { Self.luma($0, 9, 9) == X11CaptureTests.green }
        try Self.wait(for: "red", second, &two) { Self.luma($0, 9, 9) == X11CaptureTests.red }
        #expect(second.size == PixelSize(width: 300, height: 200) && second.layout.selected.scale == 1.5)
        // A change on one output is none on the other.
        let injector = try WlrInjector(path: sway.socket)
        injector.follow(second.layout.selected)
        injector.movePointer(toX: 150, y: 100)
        injector.flush()
        try Self.settle(first, one)
        try Self.settle(second, two)
        injector.movePointer(toX: 50, y: 50)
        injector.flush()
        guard case .changed = try second.waitForChange(until: WlrCaptureTests.soon()) else {
            Issue.record("the second output has no change")
            return
        }
        #expect(try first.waitForChange(until: MonotonicClock.now + .milliseconds(100)) == .timeout)
    }

    @Test("keys, characters, clicks and scrolling arrive in a client") func input() throws {
        let sway = try SwayDesktop()
        let input = try WlrInjector(path: sway.socket)
        let client = try sway.start("stdbuf", ["-oL", "wev"])
        // The client is in front once it has the keyboard.
        try client.line(with: "wl_keyboard] enter")
        input.movePointer(toX: 100, y: 60)
        input.flush()
        try client.line(with: "x, y: 100.000000, 60.000000")
        for (button, code) in [(PointerButton.left, 272), (.right, 273), (.middle, 274), (.back, 275), (.forward, 276)]
        {
            input.button(button, isDown: true)
            input.button(button, isDown: false)
            input.flush()
            #expect(try client.line(with: "button: \(code)").contains("pressed"))
            try client.line("its release") { $0.contains("button: \(code)") && $0.contains("released") }
        }
        input.scroll(dx: 0, dy: -120)
        input.flush()
        try client.line(with: "axis: 0 (vertical), value: 15.0")

        // A key by its place, then characters that the layout has not.
        input.key(usage: 0x04, isDown: true)
        input.key(usage: 0x04, isDown: false)
        input.flush()
        try client.line(with: "utf8: 'a'")
        for character in "Z€щ漢😀".unicodeScalars {
            input.press(character, usage: 0x08)
            input.key(usage: 0x08, isDown: false)
            input.flush()
            try client.line(with: "utf8: '\(character)'")
        }
        input.type("ñ!")
        input.flush()
        try client.line(with: "utf8: 'ñ'")
        try client.line(with: "utf8: '!'")
    }

    @Test("the pointer goes to the pixel of the followed output, whatever its scale, turn and place") func places()
        throws
    {
        let sway = try SwayDesktop()
        let injector = try WlrInjector(path: sway.socket)
        try sway.order("output HEADLESS-1 scale 2")
        try sway.order("create_output")
        try sway.order("output HEADLESS-2 mode 300x200 position 700 50 transform 90")
        let monitors = try LinuxSource.outputs(at: sway.socket)
        try #require(
            monitors.map(\.rect.size) == [PixelSize(width: 640, height: 400), PixelSize(width: 200, height: 300)])
        let client = try sway.start("stdbuf", ["-oL", "wev"])
        try client.line(with: "wl_keyboard] enter")
        injector.follow(monitors[0])
        injector.movePointer(toX: 120, y: 80)
        injector.flush()
        try client.line(with: "x, y: 60.000000, 40.000000")
        injector.movePointer(byX: 20, y: -10)
        injector.flush()
        try client.line(with: "x, y: 70.000000, 35.000000")
        // On the other output there is no client, so it leaves; a window that moves there has it again.
        injector.follow(monitors[1])
        injector.movePointer(toX: 30, y: 200)
        injector.flush()
        try client.line(with: "leave")
        try sway.order("[title=.*] move container to output HEADLESS-2")
        injector.movePointer(toX: 31, y: 201)
        injector.flush()
        try client.line(with: "x, y: 31.000000, 201.000000")
    }

    @Test("what is held is let go when the control ends") func release() throws {
        let sway = try SwayDesktop()
        let other = try WlrInjector(path: sway.socket)
        let client = try sway.start("stdbuf", ["-oL", "wev"])
        try client.line(with: "wl_keyboard] enter")
        func hold() throws {
            let injector = try WlrInjector(path: sway.socket)
            injector.movePointer(toX: 50, y: 50)
            injector.key(usage: 0x04, isDown: true)
            injector.button(.left, isDown: true)
            injector.flush()
            try client.line("the press") { $0.contains("button: 272") && $0.contains("pressed") }
        }
        try hold()
        try client.line("the key's release") { $0.contains("key: 38") && $0.contains("released") }
        try client.line("the button's release") { $0.contains("button: 272") && $0.contains("released") }
        withExtendedLifetime(other) {}
    }

    @Test("a compositor that ends is an error for the capture, and nothing for the input") func end() throws {
        let sway = try SwayDesktop()
        let capture = try WlrScreenCapture(path: sway.socket)
        let injector = try WlrInjector(path: sway.socket)
        sway.kill()
        let error = #expect(throws: HelioError.self) {
            while true { _ = try capture.waitForChange(until: WlrCaptureTests.soon()) }
        }
        #expect(error?.code == .captureFailed)
        injector.movePointer(toX: 1, y: 1)
        injector.type("gone €")
        injector.flush()
        let none = #expect(throws: HelioError.self) { try WlrScreenCapture(path: sway.socket) }
        #expect(none?.message == "No Wayland compositor answers at \(sway.socket).")
    }

    @Test("what sway offers is listed for reports of faults, without any path") func report() throws {
        let sway = try SwayDesktop()
        try sway.order("output HEADLESS-1 scale 1.5 transform 90")
        let evidence = SessionProbe.evidence(.xwayland(":7"), isNamed: false) { sway.environment[$0] }
        let lines = SessionReport.lines(evidence) { sway.environment[$0] }
        #expect(lines.first == "session: type wayland, desktop sway, compositor answers")
        for line in ["X server: Xwayland", "global: zwlr_screencopy_manager_v1 3", "bus: none"] {
            #expect(lines.contains(line), "\(line): \(lines)")
        }
        for part in ["output: HEADLESS-1, mode 640x400, scale 1.5, transform turned", "PipeWire: library "] {
            #expect(lines.contains { $0.hasPrefix(part) }, "\(part): \(lines)")
        }
        #expect(!lines.joined().contains("/"))
    }

    @Test("without a choice sway's screen is taken, unless an X server of its own is meant") func choice() throws {
        let sway = try SwayDesktop()
        func evidence(_ server: SessionEvidence.Server) -> SessionEvidence {
            SessionProbe.evidence(server, isNamed: false) { sway.environment[$0] }
        }
        #expect(evidence(.none).preferred == .wlr && evidence(.xwayland(":0")).preferred == .wlr)
        #expect(evidence(.own(":7")).preferred == .x11)
        #expect(CaptureWay.wlr.description(evidence(.none)).isUsable)
        let weston = try WaylandDesktop()
        let other = SessionProbe.evidence(.none, isNamed: false) { weston.environment[$0] }
        #expect(
            CaptureWay.wlr.description(other).reason
                == "the compositor offers neither zwlr_screencopy_manager_v1 nor ext_image_copy_capture_manager_v1")
    }
}
