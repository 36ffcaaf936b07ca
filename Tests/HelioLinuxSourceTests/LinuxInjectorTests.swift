import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWaylandWire
import Testing

@testable import HelioLinuxSource

@Suite("Input into a compositor that ends the connection or lies", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct LinuxInjectorTests {
    private static func compositor(_ size: PixelSize = PixelSize(width: 64, height: 32)) -> FakeCompositor {
        FakeCompositor(
            [(.seat, 7), (.virtualPointerManager, 2), (.virtualKeyboardManager, 1), (.xdgOutputManager, 3)],
            outputs: [.init("DP-1", size)])
    }

    @Test("a size that no output has is a large one") func size() throws {
        let compositor = Self.compositor(PixelSize(width: Int(Int32.max), height: Int(Int32.max)))
        // Turned, so that the pointer's place is computed in the layout.
        compositor.change("DP-1") { $0.transform = 2 }
        let injector = try WlrInjector(compositor.connect())
        injector.movePointer(toX: .max, y: .max)
        injector.flush()
        #expect(!injector.hasFailed)
    }

    @Test("input goes on by a new connection, which is tried for now and then") func reopen() throws {
        let first = Self.compositor()
        let second = Self.compositor()
        var opened = 0
        let injector = LinuxInjector(try WlrInjector(first.connect())) { () throws(HelioError) in
            opened += 1
            if opened > 1 { throw HelioError(.captureFailed, "Gone.") }
            return try WlrInjector(second.connect())
        }
        let monitor = ScreenMonitor(
            id: "DP-1", name: "DP-1", rect: PixelRect(x: 0, y: 0, width: 64, height: 32), isPrimary: true)
        injector.follow(monitor)
        injector.flush()
        #expect(opened == 0)
        first.hangUp()
        injector.flush()
        #expect(opened == 1)
        injector.movePointer(toX: 1, y: 2)
        injector.flush()
        #expect(opened == 1, "the new connection stands")
        second.hangUp()
        injector.flush()
        injector.follow(monitor)
        #expect(opened == 1, "the next attempt comes later")
    }
}
