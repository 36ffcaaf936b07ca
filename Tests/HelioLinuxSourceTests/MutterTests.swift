import Foundation
import HelioCore
import HelioDesktop
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

/// Captures and drives a real compositor: Debian's mutter, by its own sessions and PipeWire.
@Suite("A session of GNOME's compositor", .serialized, .timeLimit(.minutes(3)), .tags(.quiet)) struct MutterTests {
    static func session(_ mutter: MutterDesktop) throws -> MutterSession {
        try MutterSession(
            BusConnection(addresses: mutter.bus.address), pipewire: mutter.bus.folder.path + "/pipewire-0")
    }

    private static func picture(of capture: DesktopScreenCapture) throws -> PlanarPicture {
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        _ = try capture.capture(into: picture, everything: true)
        return picture
    }

    /// Captures until the picture is as wanted.
    private static func wait(
        for what: String, _ capture: DesktopScreenCapture, _ picture: inout PlanarPicture,
        _ holds: (PlanarPicture) -> Bool
    ) throws {
        let patience = Patience()
        while !patience.isOver {
            if picture.sourceSize == capture.size, holds(picture) { return }
            switch try capture.waitForChange(until: MonotonicClock.now + .seconds(5)) {
            case .layoutChanged: picture = try Self.picture(of: capture)
            case .changed: _ = try capture.capture(into: picture, everything: false)
            case .timeout, .woken: break
            }
        }
        throw Patience.Exhausted(description: "no \(what)")
    }

    /// Captures until nothing changes for a while.
    private static func settle(_ capture: DesktopScreenCapture, _ picture: inout PlanarPicture) throws {
        let patience = Patience()
        while !patience.isOver {
            switch try capture.waitForChange(until: MonotonicClock.now + .milliseconds(500)) {
            case .timeout: return picture.markCoded()
            case .layoutChanged: picture = try Self.picture(of: capture)
            case .changed, .woken: _ = try capture.capture(into: picture, everything: false)
            }
        }
        throw Patience.Exhausted(description: "the screen is never still")
    }

    private static func lumas(_ p: PlanarPicture) -> Set<UInt8> {
        var found: Set<UInt8> = []
        for y in 0..<p.size.height {
            for x in 0..<p.size.width { found.insert(p.blocks.luma[y * p.blocks.lumaStride + x]) }
        }
        return found
    }

    @Test("its screen is captured, changes alone, nothing while it is still, and again after nobody looked")
    func capture() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let capture = try DesktopScreenCapture(session, monitor: nil)
        #expect(capture.size == PixelSize(width: 640, height: 400) && capture.layout.selected.id == "Meta-0")
        #expect(capture.notes.isEmpty)
        var picture = try Self.picture(of: capture)
        try Self.settle(capture, &picture)
        let empty = picture.planar

        // A window of 256x256 pixels that is painted anew for each frame.
        let client = try mutter.start("weston-simple-shm")
        try Self.wait(for: "window", capture, &picture) { Self.lumas($0).count > 150 }
        var damage = Region()
        for number in 0..<40 {
            guard case .changed = try capture.waitForChange(until: MonotonicClock.now + .seconds(5)) else { continue }
            guard let captured = try capture.capture(into: picture, everything: false) else { continue }
            // The window comes with an effect around it.
            if number >= 20 { damage.add(captured.damage) }
        }
        #expect(!damage.isEmpty && damage.bounds.width <= 304 && damage.bounds.height <= 304, "\(damage.rects)")

        // While nobody reads, the compositor is told to make no pictures; who comes then sees what is there now.
        try #require(Patience().wait { capture.stream?.drops["pipewire-picture-unwanted"] != nil })
        #expect(capture.stream?.drops["pipewire-picture-merged"] ?? 0 > 2)
        #expect(capture.stream?.drops["pipewire-picture-refused"] == nil)
        client.kill()
        picture = try Self.picture(of: capture)
        try Self.wait(for: "empty screen", capture, &picture) { $0.planar == empty }
        try Self.settle(capture, &picture)
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(500)) == .timeout)
        let fresh = try Self.picture(of: capture)
        #expect(fresh.planar == picture.planar, "what is captured by changes is what is captured at once")
    }

    @Test("a monitor that is turned is captured on, although Mutter ends the session for it") func turn() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let capture = try DesktopScreenCapture(session, monitor: nil)
        var picture = try Self.picture(of: capture)
        try mutter.turnMonitor()
        try Self.wait(for: "turned screen", capture, &picture) { $0.size == PixelSize(width: 400, height: 640) }
        #expect(capture.layout.selected.rect.size == PixelSize(width: 400, height: 640))
    }

    @Test("a virtual monitor beside another gets another size, and the other one can be chosen") func beside() throws {
        let mutter = try MutterDesktop()
        let virtual = try DesktopScreenCapture(Self.session(mutter), monitor: "virtual-640x480")
        var picture = try Self.picture(of: virtual)
        virtual.stream?.resize(to: PixelSize(width: 501, height: 333))
        try Self.wait(for: "other size", virtual, &picture) { $0.size == PixelSize(width: 502, height: 334) }
        #expect(virtual.shownSize == PixelSize(width: 501, height: 333))
        #expect(virtual.layout.monitors.map(\.id) == ["Meta-0", "virtual-640x480"])
        try virtual.select("Meta-0")
        try Self.wait(for: "the other monitor", virtual, &picture) { _ in virtual.layout.selected.id == "Meta-0" }
        #expect(virtual.size == PixelSize(width: 640, height: 400))
    }

    @Test("keys, characters, clicks and scrolling arrive in a client") func input() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let capture = try DesktopScreenCapture(session, monitor: "Meta-0")
        let input = try DesktopInjector(session)
        // The seat has a keyboard and a pointer once they were used.
        input.key(usage: 0xE1, isDown: true)
        input.key(usage: 0xE1, isDown: false)
        input.movePointer(toX: 1, y: 1)
        input.flush()
        let client = try mutter.start("stdbuf", ["-oL", "wev"])
        try client.line(with: "wl_keyboard] enter")
        input.movePointer(toX: 320, y: 200)
        input.flush()
        try client.line(with: "wl_pointer] enter")
        for (button, code) in [(PointerButton.left, 272), (.right, 273), (.middle, 274)] {
            input.button(button, isDown: true)
            input.button(button, isDown: false)
            input.flush()
            try client.line("the press") { $0.contains("button: \(code)") && $0.contains("pressed") }
            try client.line("its release") { $0.contains("button: \(code)") && $0.contains("released") }
        }
        input.scroll(dx: 0, dy: -120)
        input.flush()
        try client.line(with: "axis: 0 (vertical), value: 10.0")

        input.key(usage: 0x04, isDown: true)
        input.key(usage: 0x04, isDown: false)
        try client.line(with: "utf8: 'a'")
        // A character that needs Shift, and one that must not have the viewer's.
        input.press("Z", usage: 0x1D)
        input.key(usage: 0x1D, isDown: false)
        try client.line(with: "utf8: 'Z'")
        input.key(usage: 0xE1, isDown: true)
        input.press("7", usage: 0x24)
        input.key(usage: 0x24, isDown: false)
        try client.line(with: "utf8: '7'")
        input.key(usage: 0xE1, isDown: false)
        input.type("q!")
        try client.line(with: "utf8: 'q'")
        try client.line(with: "utf8: '!'")
        #expect(session.lockStates()?.caps == false)
        input.setLocks(LockState(caps: true))
        #expect(Patience().wait { session.lockStates()?.caps == true })
        input.type("b")
        try client.line(with: "utf8: 'b'")
        withExtendedLifetime(capture) {}
    }

    @Test("a machine without a monitor has a virtual one, of the size that is asked for") func virtual() throws {
        let mutter = try MutterDesktop(monitor: nil)
        let session = try Self.session(mutter)
        let capture = try DesktopScreenCapture(session, monitor: "virtual-800x600")
        #expect(capture.size == PixelSize(width: 800, height: 600))
        #expect(capture.layout.selected.id == "virtual-800x600")
        let input = try DesktopInjector(session)
        input.follow(capture.layout.selected)
        input.movePointer(toX: 700, y: 500)
        input.movePointer(toX: 701, y: 502)
        input.flush()
        let cursor = DesktopCursorSource(capture)
        #expect(Patience().wait { cursor.takePosition().map { $0 == (701, 502) } ?? false })
        #expect(cursor.isOnScreen)
        #expect(Patience().wait { cursor.takeShape() != nil })
    }

    @Test("a compositor that ends is an error for the capture, and nothing for the input") func end() throws {
        let mutter = try MutterDesktop()
        let session = try Self.session(mutter)
        let capture = try DesktopScreenCapture(session, monitor: nil)
        let input = try DesktopInjector(session)
        mutter.kill()
        let error = #expect(throws: HelioError.self) {
            while true { _ = try capture.waitForChange(until: MonotonicClock.now + .seconds(20)) }
        }
        #expect(error?.code == .captureFailed)
        #expect(Patience().wait { session.end == "GNOME's compositor has ended." })
        input.type("gone")
        input.flush()
        let none = #expect(throws: HelioError.self) { try Self.session(mutter) }
        #expect(none?.message.contains("offers no org.gnome.Mutter.ScreenCast") == true, "\(none?.message ?? "")")
    }

    @Test("without a choice GNOME's screen is taken, unless an X server of its own is meant") func choice() throws {
        let mutter = try MutterDesktop()
        func evidence(_ server: SessionEvidence.Server) -> SessionEvidence {
            SessionProbe.evidence(server, isNamed: false, isWhole: true) { mutter.environment[$0] }
        }
        #expect(evidence(.none).preferred == .gnome && evidence(.own(":7")).preferred == .x11)
        #expect(
            CaptureWay.gnome.description(evidence(.none))
                == CaptureDescription(
                    name: "gnome", isUsable: true, reason: "GNOME's Mutter, which asks nobody"))
        #expect(
            CaptureWay.portal.description(evidence(.none)).reason == "there is no desktop portal on the session's D-Bus"
        )
        let monitors = try MutterSession.monitors(BusConnection(addresses: mutter.bus.address))
        #expect(monitors.map(\.id) == ["Meta-0"])
    }
}
