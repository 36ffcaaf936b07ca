import Glibc
import HelioCore
import HelioGround
import HelioPatch
import HelioTestLanes
import HelioTestPrograms
import HelioWaylandWire
import Testing

@testable import HelioLinuxSource

/// Captures from a compositor of the test's own, which does what a real one does only with real outputs.
@Suite("Capture from a compositor", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct WlrCaptureTests {
    static func soon() -> Instant { MonotonicClock.now + .seconds(20) }

    /// Waits until a change of the layout is reported after which something holds; captures whatever changes before.
    static func waitForLayout(
        _ what: String, _ capture: WlrScreenCapture, _ picture: PlanarPicture, _ holds: () -> Bool
    ) throws {
        let patience = Patience()
        while !patience.isOver {
            switch try capture.waitForChange(until: soon()) {
            case .layoutChanged: if holds() { return }
            case .changed: _ = try capture.capture(into: picture, everything: false)
            case .timeout, .woken: break
            }
        }
        throw Patience.Exhausted(description: "it never was that \(what)")
    }

    /// Captures as soon as there is something to capture.
    static func captured(
        _ capture: WlrScreenCapture, _ picture: PlanarPicture, everything: Bool = false
    ) throws -> Captured {
        let patience = Patience()
        while !patience.isOver {
            if let captured = try capture.capture(into: picture, everything: everything) { return captured }
            _ = try capture.waitForChange(until: soon())
        }
        throw Patience.Exhausted(description: "nothing is captured")
    }

    static func luma(_ p: PlanarPicture, _ x: Int, _ y: Int) -> UInt8 { p.blocks.luma[y * p.blocks.lumaStride + x] }

    @Test("only changes are captured, and only where they are; a still screen asks for one copy and waits")
    func changes() throws {
        let size = PixelSize(width: 160, height: 64)
        let compositor = FakeCompositor(outputs: [.init("DP-1", size, colour: 0xFFFFFF)])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        #expect(capture.size == size && capture.layout.selected.id == "DP-1" && capture.notes.count == 1)
        let picture = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        #expect(try capture.capture(into: picture, everything: true)?.damage == Region(PixelRect(size)))
        #expect(Self.luma(picture, 159, 63) == 235)
        picture.markCoded()
        while case .changed = try capture.waitForChange(until: MonotonicClock.now + .milliseconds(20)) {
            _ = try capture.capture(into: picture, everything: false)
        }
        let before = compositor.copies
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(50)) == .timeout)
        #expect(compositor.copies == before)

        compositor.paint("DP-1", 0xFF0000, PixelRect(x: 20, y: 20, width: 8, height: 8))
        guard case .changed = try capture.waitForChange(until: Self.soon()) else {
            Issue.record("no change")
            return
        }
        // The fake paints all of the output, but says that a part has changed.
        let damage = try capture.capture(into: picture, everything: false)?.damage
        #expect(damage == Region(PixelRect(x: 16, y: 16, width: 16, height: 16)))
        #expect(Self.luma(picture, 20, 20) == 63 && Self.luma(picture, 100, 40) == 235)
    }

    @Test("while nobody reads there is one copy; a viewer that comes later gets a new one") func unread() throws {
        let size = PixelSize(width: 64, height: 32)
        let compositor = FakeCompositor(outputs: [.init("DP-1", size)])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        let before = compositor.copies
        for colour in 1...20 { compositor.paint("DP-1", UInt32(colour) * 0x0A0A0A) }
        #expect(try capture.waitForChange(until: Self.soon()) != .timeout)
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(150)) == .timeout)
        #expect(compositor.copies == before)
        #expect(try capture.capture(into: picture, everything: true) != nil)
        let newest = Self.luma(picture, 5, 5)
        let grey = 20 * 10
        #expect(abs(Int(newest) - (16 + grey * 219 / 255)) <= 1, "\(newest)")
    }

    @Test("sizes, turns and odd sides are followed, and the layout is told before the pictures") func layout() throws {
        let compositor = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 64, height: 32), colour: 0xFFFFFF)])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: "DP-1")
        let old = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        compositor.change("DP-1") { output in
            output.mode = PixelSize(width: 81, height: 45)
            output.transform = 1
        }
        try Self.waitForLayout("it is turned", capture, old) { capture.size == PixelSize(width: 46, height: 82) }
        #expect(capture.shownSize == PixelSize(width: 45, height: 81))
        #expect(capture.layout.selected.rect == PixelRect(x: 0, y: 0, width: 45, height: 81))
        #expect(try capture.capture(into: old, everything: true) == nil, "a picture of the old size")
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        let whole = try Self.captured(capture, picture, everything: true)
        #expect(whole.damage == Region(PixelRect(capture.size)))
        #expect(Self.luma(picture, 45, 81) == 235, "the last column and row are repeated")
    }

    @Test("a monitor that is plugged in can be chosen, and the first takes over when it is gone") func monitors() throws
    {
        let compositor = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 64, height: 32))])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        compositor.add(.init("DP-2", PixelSize(width: 48, height: 48), colour: 0xFFFFFF))
        try Self.waitForLayout("there are two", capture, picture) { capture.layout.monitors.count == 2 }
        #expect(capture.layout.monitors.map(\.id) == ["DP-1", "DP-2"] && capture.layout.selected.id == "DP-1")
        #expect(throws: HelioError.self) { try capture.select("DP-3") }

        try capture.select("DP-2")
        try Self.waitForLayout("it is chosen", capture, picture) { capture.layout.selected.id == "DP-2" }
        #expect(capture.size == PixelSize(width: 48, height: 48))
        let second = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        _ = try Self.captured(capture, second)
        #expect(Self.luma(second, 3, 3) == 235)

        compositor.remove("DP-2")
        try Self.waitForLayout("the first takes over", capture, second) { capture.layout.selected.id == "DP-1" }
        #expect(capture.layout.monitors.count == 1)
        compositor.remove("DP-1")
        try Self.waitForLayout("none is left", capture, second) { capture.isOff }
        compositor.add(.init("DP-2", PixelSize(width: 48, height: 48)))
        try Self.waitForLayout("it is back", capture, second) { !capture.isOff }
        #expect(capture.layout.selected.id == "DP-2")
    }

    @Test("an output that is switched off is told, asked again without haste, and shown when it is back") func off()
        throws
    {
        let size = PixelSize(width: 64, height: 32)
        let compositor = FakeCompositor(outputs: [.init("DP-1", size)])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        _ = try capture.capture(into: picture, everything: true)
        compositor.failCopies(true)
        try Self.waitForLayout("it is off", capture, picture) { capture.isOff }
        #expect(try capture.capture(into: picture, everything: true) == nil)
        compositor.paint("DP-1", 0xFFFFFF)
        compositor.failCopies(false)
        try Self.waitForLayout("it is on", capture, picture) { !capture.isOff }
        #expect(try Self.captured(capture, picture).damage == Region(PixelRect(size)))
        #expect(Self.luma(picture, 0, 0) == 235)
    }

    @Test("an output that is off and then gone costs nothing until another comes") func offAndGone() throws {
        let size = PixelSize(width: 64, height: 32)
        let compositor = FakeCompositor(outputs: [.init("DP-1", size)])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try capture.makePicture(size: size, chroma: .yuv420, color: .bt709)
        compositor.failCopies(true)
        try Self.waitForLayout("it is off", capture, picture) { capture.isOff }
        // The next try is due within the wait.
        compositor.remove("DP-1")
        let before = Self.processorTime()
        #expect(try capture.waitForChange(until: MonotonicClock.now + .milliseconds(300)) == .timeout)
        #expect(Self.processorTime() - before < .milliseconds(100))
        compositor.failCopies(false)
        compositor.add(.init("DP-2", size))
        try Self.waitForLayout("another has come", capture, picture) { !capture.isOff }
    }

    /// The time that this thread has computed so far.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test("each turn of an output brings its corners to their places", arguments: 0..<8) func turns(turn: Int) throws {
        let (width, height) = (64, 32)
        var output = FakeCompositor.Output("DP-1", PixelSize(width: width, height: height))
        output.transform = UInt32(turn)
        output.pattern = { x, y in y > 0 ? 0 : x == 0 ? 0xFFFFFF : x == width - 1 ? 0xFF0000 : 0 }
        let compositor = FakeCompositor(outputs: [output])
        let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        _ = try Self.captured(capture, picture, everything: true)
        #expect(picture.size == (turn % 2 == 0 ? PixelSize(width: 64, height: 32) : PixelSize(width: 32, height: 64)))
        // The corners, clockwise from the top left: those of the first and the last pixel of memory's first row, as
        // grim shows sway's outputs.
        let (right, bottom) = (picture.size.width - 1, picture.size.height - 1)
        let corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
        let (first, last) = [(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (0, 3), (3, 2), (2, 1)][turn]
        for (number, corner) in corners.enumerated() {
            let expected: UInt8 = number == first ? 235 : number == last ? 63 : 16
            #expect(Self.luma(picture, corner.0, corner.1) == expected, "corner \(number)")
        }
    }

    /// Red, as a pixel of each format of DRM.
    @Test(
        "pixels of other formats are converted",
        arguments: [
            (0, 0xFF0000), (0x3432_4258, 0xFF), (0x3432_5852, 0xFF00_0000), (0x3432_5842, 0xFF00),
            (0x3033_5258, 0x3FF0_0000),
            (0x3033_4258, 0x3FF),
        ] as [(UInt32, UInt32)])
    func formats(code: UInt32, red: UInt32) throws {
        let size = PixelSize(width: 36, height: 18)
        for transform in [UInt32(0), 1] {
            var output = FakeCompositor.Output("DP-1", size, colour: red)
            output.transform = transform
            let compositor = FakeCompositor(outputs: [output])
            compositor.lie { ShmLayout(format: code, width: $0.width, height: $0.height, stride: $0.stride + 64) }
            let capture = try WlrScreenCapture(compositor.connect(), monitor: nil)
            let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
            _ = try Self.captured(capture, picture, everything: true)
            #expect(Self.luma(picture, 0, 0) == 63 && Self.luma(picture, 17, 17) == 63)
        }
    }

    @Test("a compositor without a picture, or that ends, is an error") func errors() throws {
        let dark = FakeCompositor(outputs: [])
        let none = #expect(throws: HelioError.self) { try WlrScreenCapture(dark.connect(), monitor: nil) }
        #expect(none?.code == .captureFailed && none?.message.contains("switched off") == true)

        let compositor = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 64, height: 32))])
        let unknown = #expect(throws: HelioError.self) { try WlrScreenCapture(compositor.connect(), monitor: "DP-9") }
        #expect(unknown?.code == .invalidArgument && unknown?.message.contains("DP-1") == true)

        let other = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 64, height: 32))])
        let capture = try WlrScreenCapture(other.connect(), monitor: nil)
        other.hangUp()
        let error = #expect(throws: HelioError.self) {
            while true { _ = try capture.waitForChange(until: Self.soon()) }
        }
        #expect(error?.code == .captureFailed)
        let injector = FakeCompositor([(.seat, 7)], outputs: [])
        let deaf = #expect(throws: HelioError.self) { try WlrInjector(injector.connect()) }
        #expect(deaf?.code == .unsupported && deaf?.message.contains("zwlr_virtual_pointer_manager_v1") == true)
    }
}
