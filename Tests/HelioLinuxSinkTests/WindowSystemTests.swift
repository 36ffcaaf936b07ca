import Testing

@testable import HelioLinuxSink

/// The choice between a Wayland compositor and an X server.
@Suite("The window system of a viewer") struct WindowSystemTests {
    /// The globals of a compositor that has all that a window needs.
    private static let whole: [String: UInt32] = [
        "wl_compositor": 4, "wl_subcompositor": 1, "wl_shm": 1, "xdg_wm_base": 2, "wl_seat": 7,
        "zxdg_decoration_manager_v1": 1,
    ]
    private static let wayland = ["WAYLAND_DISPLAY": "wayland-1", "XDG_RUNTIME_DIR": "/run/user/1000"]
    private static let both = wayland.merging(["DISPLAY": ":0"]) { $1 }

    private static func choose(
        _ environment: [String: String], _ globals: [String: UInt32]?, hasFrames: Bool = true
    ) -> WindowSystem {
        WindowSystem.choose(
            { environment[$0] },
            globals: { path in
                #expect(path == "/run/user/1000/wayland-1")
                return globals
            }, hasFrames: { hasFrames })
    }

    @Test("a compositor that answers is taken, with the X server as the second") func compositor() {
        for environment in [Self.wayland, Self.both] {
            let system = Self.choose(environment, Self.whole)
            #expect(system.drivers == [.wayland, .x11] && system.lack == nil)
            #expect(system.compositor == "/run/user/1000/wayland-1")
            #expect(system.isWayland { environment[$0] })
        }
    }

    @Test("without a compositor that answers, the choice is SDL's") func server() {
        for system in [Self.choose(["DISPLAY": ":0"], nil), Self.choose(Self.both, nil), Self.choose([:], nil)] {
            #expect(system == WindowSystem(drivers: []))
            #expect(!system.isWayland { ["DISPLAY": ":0"][$0] })
        }
    }

    @Test(
        "SDL_VIDEODRIVER has the last word; set to nothing it has none", arguments: ["wayland", "x11", "wayland,x11"])
    func forced(driver: String) {
        var environment = Self.both
        environment["SDL_VIDEODRIVER"] = driver
        let system = Self.choose(environment, Self.whole)
        #expect(system.drivers == [] && system.compositor != nil)
        #expect(system.isWayland { environment[$0] } == driver.hasPrefix("wayland"))
        environment["SDL_VIDEODRIVER"] = ""
        #expect(Self.choose(environment, Self.whole).drivers == [.wayland, .x11])
    }

    @Test("what a compositor lacks is said, and there is the X server alone") func lacks() {
        var old = Self.whole
        old["wl_compositor"] = 3
        old["xdg_wm_base"] = nil
        let system = Self.choose(Self.both, old)
        #expect(system.drivers == [.x11])
        #expect(system.lack == "the compositor offers no wl_compositor, xdg_wm_base of the version that is needed")
    }

    @Test("a window without a frame is the last resort") func frames() {
        var bare = Self.whole
        bare["zxdg_decoration_manager_v1"] = nil
        #expect(Self.choose(Self.both, bare).drivers == [.wayland, .x11])
        let frameless = Self.choose(Self.both, bare, hasFrames: false)
        #expect(frameless.drivers == [.x11, .wayland] && frameless.lack?.contains("libdecor") == true)
        #expect(Self.choose(Self.wayland, bare, hasFrames: false).drivers == [.wayland, .x11])
    }

    @Test(
        "a position in 1/256 points is the pixel that it is in, at any scale", arguments: [1.0, 1.25, 1.5, 1.75, 2, 3])
    func pixels(scale: Double) {
        let pixels = 1680
        let points = Int((Double(pixels) / scale).rounded())
        for pixel in 0..<pixels {
            // A compositor rounds, or cuts, the pixel's left edge to its unit.
            let exact = Double(pixel) * Double(points) / Double(pixels) * 256
            for position in [exact.rounded(), exact.rounded(.down)] {
                #expect(WaylandWindow.pixel(Int(position), pixels: pixels, points: points) == pixel)
            }
        }
        #expect(WaylandWindow.pixel(-256, pixels: 200, points: 100) == -2)
        #expect(WaylandWindow.pixel(5, pixels: 200, points: 0) == 4)
    }
}
