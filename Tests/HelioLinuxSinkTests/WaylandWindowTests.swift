import CSDL2
import Foundation
import HelioCore
import HelioGround
import HelioTestLanes
import HelioTestPrograms
import HelioWindow
import Testing

@testable import HelioLinuxSink

/// The viewer's window in sessions of other compositors than sway: Debian's mutter, which draws no frames of windows
/// and lets no program share its clipboard, and Weston.
@Suite("The window on other Wayland compositors", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct WaylandWindowTests {
    private static func enter(_ environment: [String: String]) {
        for (name, value) in environment { setenv(name, value, 1) }
        unsetenv("SDL_VIDEODRIVER")
    }

    /// Opens a window, and shows pictures of different sizes until the compositor has shown each.
    private static func show(full: PixelSize) throws {
        var options = WindowOptions()
        options.size = PixelSize(width: 320, height: 200)
        let window = try ViewerWindow(title: "Test", options: options)
        let wayland = try #require(window.wayland)
        for (seed, size) in [PixelSize(width: 320, height: 200), PixelSize(width: 200, height: 120)].enumerated() {
            for turn in 0..<6 {
                let picture = try TestPicture.noise(size, seed: UInt64(seed * 10 + turn))
                try window.show(picture, damage: turn == 0 ? nil : Region(PixelRect(size)))
                try SwaySession.wait(for: "shown picture", window) { _ in wayland.handle.pointee.frame == nil }
                #expect(!wayland.isHidden && !window.needsDrawing)
            }
        }
        #expect(wl_display_get_error(wayland.handle.pointee.display) == 0)
        window.setFullScreen(true)
        try SwaySession.wait(for: "full screen", window) { _ in window.layout.window == full }
    }

    @Test("mutter shows it; without an X server its clipboard can't be shared, which is said") func mutter() throws {
        let mutter = try MutterDesktop()
        Self.enter(mutter.environment)
        try Self.show(full: PixelSize(width: 640, height: 400))
        let error = #expect(throws: HelioError.self) { try LinuxSink().openClipboard(marked: false) { _ in } }
        #expect(error?.code == .unsupported && error?.message.contains("zwlr_data_control_manager_v1") == true)
    }

    @Test("without a seat, as in Weston without a screen, it is an X11 window, or there is none, which is said")
    func weston() throws {
        let weston = try WaylandDesktop()
        Self.enter(weston.environment)
        let lack = "the compositor offers no wl_seat of the version that is needed"
        do {
            let window = try ViewerWindow(title: "Test")
            #expect(window.wayland == nil && window.display != nil)
            #expect(window.note == "The window is an X11 window in a Wayland session: \(lack).")
        }
        setenv("SDL_VIDEODRIVER", "wayland", 1)
        let forced = #expect(throws: HelioError.self) { try ViewerWindow(title: "Test") }
        #expect(forced?.message == "SDL_VIDEODRIVER wants a Wayland window, but \(lack).")
        unsetenv("SDL_VIDEODRIVER")
        unsetenv("DISPLAY")
        let none = #expect(throws: HelioError.self) { try ViewerWindow(title: "Test") }
        #expect(none?.message == "There is no screen to open a window on: \(lack), and no X server answers.")
    }
}
