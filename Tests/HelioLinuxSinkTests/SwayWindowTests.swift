import CSDL2
import Foundation
import HelioCore
import HelioGround
import HelioLinuxSource
import HelioTestLanes
import HelioTestPrograms
import HelioWindow
import Testing

@testable import HelioLinuxSink

/// The viewer's window as a window of a real Wayland compositor: Debian's sway, which tiles it over its whole output.
@Suite("The window on Wayland", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SwayWindowTests {
    private static let small = PixelSize(width: 320, height: 200)

    @Test("it is a window of the compositor's own, with the program's identifier, and keeps the screen on")
    func identity() throws {
        let session = try SwaySession(Self.small)
        let window = try session.open(Self.small)
        try SwaySession.wait(for: "window", window) { _ in try !session.sway.tree().windows.isEmpty }
        let node = try #require(try session.sway.tree().windows.first)
        #expect(node.shell == "xdg_shell" && node.appID == "heliograph" && node.name == "Test")
        #expect(node.inhibitsIdle == true)
        #expect(window.note == "The window is a Wayland window.")
        #expect(window.wayland != nil && window.display == nil)
    }

    @Test("it is the compositor's also beside an X server, unless SDL_VIDEODRIVER says otherwise") func forced() throws
    {
        let session = try SwaySession(Self.small)
        let server = try XServer()
        session.enter()
        setenv("DISPLAY", server.name, 1)
        for (driver, isWayland) in [("x11", false), ("", true), ("wayland", true), (nil, true)] {
            if let driver { setenv("SDL_VIDEODRIVER", driver, 1) } else { unsetenv("SDL_VIDEODRIVER") }
            let window = try session.open(Self.small)
            #expect((window.wayland != nil) == isWayland && (window.display == nil) == isWayland, "\(driver ?? "none")")
            let forced = "The window is an X11 window in a Wayland session, as SDL_VIDEODRIVER says."
            #expect(window.note == (isWayland ? "The window is a Wayland window." : forced))
        }
    }

    @Test("the picture is shown to the pixel, also by its changes alone and after a change of size")
    func picture() throws {
        let session = try SwaySession(Self.small)
        let window = try session.open(Self.small)
        var picture = try TestPicture.noise(Self.small, seed: 1)
        try window.show(picture, damage: nil)
        try session.expectScreen(shows: picture, in: window)
        // More changes than there are buffers, each in another place: each buffer needs those that it has missed.
        for turn in 1...7 as ClosedRange<UInt64> {
            let part = PixelRect(x: Int(turn) * 32, y: Int(turn) * 16, width: 48, height: 32)
            let last = picture
            picture = try TestPicture.make(Self.small) { plane, x, y in
                let side = plane == 0 ? 1 : 2
                let isNew = part.contains(PixelRect(x: x * side, y: y * side, width: 1, height: 1))
                return isNew ? TestPicture.hash(plane, x, y, turn + 9) : Self.sample(last, plane, x, y)
            }
            try window.show(picture, damage: Region(part))
            try session.expectScreen(shows: picture, in: window)
        }
        try session.sway.order("output HEADLESS-1 mode 400x260")
        let larger = PixelSize(width: 400, height: 260)
        try SwaySession.wait(for: "other size", window) { _ in window.layout.window == larger }
        picture = try TestPicture.noise(larger, seed: 20)
        try window.show(picture, damage: nil)
        try session.expectScreen(shows: picture, in: window)
    }

    @Test("the compositor is told of what has changed alone") func damage() throws {
        let session = try SwaySession(Self.small)
        let window = try session.open(Self.small)
        let picture = try TestPicture.noise(Self.small, seed: 1)
        for _ in 0..<3 { try window.show(picture, damage: nil) }
        try session.expectScreen(shows: picture, in: window)
        for x in [32, 96, 160, 224] {
            let part = PixelRect(x: x, y: 64, width: 32, height: 16)
            let next = try TestPicture.noise(Self.small, seed: UInt64(x))
            let changed = try session.change {
                try window.show(next, damage: Region(part))
                _ = try window.wait(until: MonotonicClock.now)
            }
            #expect(changed == Region(part))
        }
    }

    @Test("the compositor's end closes the window, and nothing waits for it") func end() throws {
        let session = try SwaySession(Self.small)
        let window = try session.open(Self.small)
        let picture = try TestPicture.noise(Self.small, seed: 1)
        try window.show(picture, damage: nil)
        session.sway.kill()
        try SwaySession.wait(for: "end", window) { $0.contains(.closeRequested) }
        // Pictures that are drawn after that go nowhere, or are an error.
        do throws(HelioError) {
            for _ in 0..<5 { try window.show(picture, damage: nil) }
        } catch {
            #expect(error.code == .displayUnavailable)
        }
    }

    static let scales: [(Double, PixelSize)] = [
        (2, PixelSize(width: 640, height: 400)), (1.5, PixelSize(width: 600, height: 420)),
        (1.25, PixelSize(width: 640, height: 400)),
    ]

    @Test(
        "a picture of the screen's pixels is shown 1:1 at any scale, and the pointer is at the host's pixel",
        arguments: scales)
    func scale(scale: Double, size: PixelSize) throws {
        let session = try SwaySession(size, scale: scale)
        let window = try session.open(Self.small)
        try SwaySession.wait(for: "scale", window) { _ in window.layout.window == size }
        let picture = try TestPicture.noise(size, seed: 2)
        try window.show(picture, damage: nil)
        #expect(window.layout.content == PixelRect(size))
        try session.expectScreen(shows: picture, in: window)
        // Only now, as sway without a screen draws the pointer into the picture.
        let input = try WlrInjector(path: session.sway.socket)
        for (x, y) in [(1, 1), (0, 0), (100, 101), (211, 77), (size.width - 1, size.height - 1)] {
            input.movePointer(toX: x, y: y)
            input.flush()
            let place = WindowInput.pointerMoved(
                x: (Double(x) + 0.5) / Double(size.width), y: (Double(y) + 0.5) / Double(size.height))
            try SwaySession.expect([place], window)
        }
    }

    private static func sample(_ picture: DecodedPicture, _ plane: Int, _ x: Int, _ y: Int) -> UInt8 {
        picture.plane(plane).map { $0[y * picture.stride(plane) + x] } ?? 0
    }

    @Test("the first picture sizes a window that floats, in the screen's pixels, and none that is tiled")
    func adoption()
        throws
    {
        let session = try SwaySession(PixelSize(width: 1280, height: 800), scale: 2)
        let size = PixelSize(width: 400, height: 240)
        for floats in [false, true] {
            if floats { try session.sway.order("for_window [app_id=heliograph] floating enable") }
            let window = try session.open(Self.small) { $0.adoptsPictureSize = true }
            let picture = try TestPicture.noise(size, seed: 1)
            try window.show(picture, damage: nil)
            let wanted = floats ? PixelSize(width: 200, height: 120) : PixelSize(width: 640, height: 400)
            try SwaySession.wait(for: "size", window) { _ in
                let rect = try session.sway.tree().windows.first?.rect
                return rect.map { PixelSize(width: $0.width, height: $0.height) } == wanted
            }
            #expect(window.layout.window == (floats ? size : PixelSize(width: 1280, height: 800)))
            guard floats, let rect = try session.sway.tree().windows.first?.rect else { continue }
            try session.expectScreen(shows: picture, x: rect.x * 2, y: rect.y * 2, in: window)
        }
    }

    @Test("full screen is on the window's output, begun by the window or by the compositor") func fullScreen() throws {
        let session = try SwaySession(Self.small)
        try session.sway.order("create_output")
        try session.sway.order("output HEADLESS-2 mode 400x240 position 320 0")
        let window = try session.open(Self.small)
        func isFull() throws -> Bool { try session.sway.tree().windows.first?.fullscreenMode == 1 }
        try SwaySession.wait(for: "window", window) { _ in try !session.sway.tree().windows.isEmpty }
        try session.sway.order("[app_id=heliograph] move container to output HEADLESS-2, focus output HEADLESS-2")
        let size = PixelSize(width: 400, height: 240)
        try SwaySession.wait(for: "other output", window) { _ in
            window.layout.window == size && SDL_GetWindowDisplayIndex(window.window) == 1
        }
        window.setFullScreen(true)
        try SwaySession.wait(for: "full screen", window) { _ in try isFull() }
        let picture = try TestPicture.noise(size, seed: 3)
        try window.show(picture, damage: nil)
        try session.expectScreen(shows: picture, in: window, of: "HEADLESS-2")
        window.setFullScreen(false)
        try SwaySession.wait(for: "no full screen", window) { _ in try !isFull() }

        try session.sway.order("[app_id=heliograph] floating enable, resize set 200 100")
        try SwaySession.wait(for: "small window", window) { _ in window.layout.window.width == 200 }
        try session.sway.order("[app_id=heliograph] fullscreen enable")
        try SwaySession.wait(for: "full screen by sway", window) { _ in window.isFullScreen }
        window.setFullScreen(false)
        try SwaySession.wait(for: "end of it by the window", window) { _ in try !isFull() && !window.isFullScreen }

    }

    @Test("a window that begins in full screen does so on the output that has the focus") func fullScreenAtFirst()
        throws
    {
        let session = try SwaySession(Self.small)
        try session.sway.order("create_output")
        try session.sway.order("output HEADLESS-2 mode 400x240 position 320 0")
        try session.sway.order("focus output HEADLESS-2")
        let window = try session.open(PixelSize(width: 64, height: 48)) { $0.isFullScreen = true }
        let size = PixelSize(width: 400, height: 240)
        try SwaySession.wait(for: "full screen", window) { _ in
            try session.sway.tree().windows.first?.fullscreenMode == 1 && window.layout.window == size
        }
        #expect(window.isFullScreen)
    }

    @Test("a window on another workspace is not waited for, and shows the newest picture when it comes back")
    func hidden() throws {
        let session = try SwaySession(Self.small)
        let window = try session.open(Self.small)
        try window.show(try TestPicture.noise(Self.small, seed: 1), damage: nil)
        try SwaySession.wait(for: "window", window) { _ in try !session.sway.tree().windows.isEmpty }
        try session.sway.order("workspace other")
        let picture = try TestPicture.noise(Self.small, seed: 2)
        try window.show(picture, damage: nil)
        let wayland = try #require(window.wayland)
        try SwaySession.wait(for: "notice that nothing is shown", window) { _ in
            wayland.isHidden
        }
        let began = MonotonicClock.now
        for _ in 0..<200 { try window.show(picture, damage: nil) }
        #expect(MonotonicClock.now - began < .seconds(5))
        let last = try TestPicture.noise(Self.small, seed: 4)
        try window.show(last, damage: nil)
        #expect(!window.needsDrawing)
        try session.sway.order("workspace 1")
        try session.expectScreen(shows: last, in: window)
    }

    @Test("the host's pointer has its size in the screen's pixels, and its hotspot", arguments: [1.0, 2])
    func cursor(scale: Double) throws {
        let size = PixelSize(width: 320 * Int(scale), height: 200 * Int(scale))
        let session = try SwaySession(size, scale: scale)
        let input = try WlrInjector(path: session.sway.socket)
        let window = try session.open(Self.small)
        try SwaySession.wait(for: "scale", window) { _ in window.layout.window == size }
        try window.show(
            try TestPicture.make(size) { plane, _, _ in plane == 0 ? 16 : 128 }, damage: nil)
        // 16 pixels square, the left half green and the right half blue, with the hotspot in its middle.
        let rgba = (0..<16 * 16).flatMap { pixel in pixel % 16 < 8 ? [0, 255, 0, 255] : [0, 0, 255, 255] as [UInt8] }
        window.setCursorShape(
            CursorShape(size: PixelSize(width: 16, height: 16), hotspotX: 8, hotspotY: 8, rgba: rgba))
        input.movePointer(toX: 100, y: 80)
        input.flush()
        func pixels() throws -> [UInt32] {
            let screen = try session.screen(withCursor: true)
            return [(92, 72), (99, 87), (100, 80), (107, 87), (91, 80), (108, 80), (100, 71), (100, 88)]
                .map { x, y in screen.pixels[y * screen.size.width + x] }
        }
        let wanted: [UInt32] = [0xFF00, 0xFF00, 0xFF, 0xFF, 0, 0, 0, 0]
        try SwaySession.wait(for: "pointer", window) { _ in try pixels() == wanted }
    }

    @Test("the clipboard is the compositor's") func clipboard() throws {
        let session = try SwaySession(Self.small)
        let copied = try Wakeup()
        let clipboard = try #require(
            try LinuxSink().openClipboard(marked: false) { event in
                if case .changed(_, let entries) = event, entries.contains(where: { $0.format == .png }) {
                    copied.signal()
                }
            })
        let program = try RunningProgram(
            "wl-copy", ["--foreground", "--type", "image/png", "not a picture"],
            environment: session.sway.environment)
        #expect(copied.wait(until: MonotonicClock.now + Patience.usual))
        clipboard.stop()
        withExtendedLifetime(program) {}
    }
}
