import CXCB
import Glibc
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

@testable import HelioLinuxSource

/// Unusual X servers: odd sizes, other depths, other containers, grabbed, or with a blanked screen.
@Suite(.serialized, .tags(.quiet)) struct X11SurroundingsTests {
    private static func luma(_ p: PlanarPicture, _ x: Int, _ y: Int) -> UInt8 { X11CaptureTests.luma(p, x, y) }

    @Test(
        "the last column and row of a screen with odd sides are captured, and padded with themselves",
        arguments: [true, false])
    func oddSides(shared: Bool) throws {
        let server = try XServer(width: 641, height: 401)
        let capture = try X11ScreenCapture(display: server.display, useSharedMemory: shared)
        #expect(capture.size == PixelSize(width: 642, height: 402))
        #expect(capture.shownSize == PixelSize(width: 641, height: 401))
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        server.fill(0xFFFFFF, x: 0, y: 0, width: 641, height: 401)
        server.fill(0xFF0000, x: 640, y: 0, width: 1, height: 400)
        server.fill(0x00FF00, x: 0, y: 400, width: 640, height: 1)
        try X11CaptureTests.settle(capture, picture)
        #expect([639, 640, 641].map { Self.luma(picture, $0, 100) } == [235, 63, 63])
        #expect([399, 400, 401].map { Self.luma(picture, 100, $0) } == [235, 173, 173])

        // A part at the edge is captured like the whole.
        picture.markCoded()
        server.fill(0x00FF00, x: 640, y: 16, width: 1, height: 16)
        #expect(try capture.waitForChange(until: X11CaptureTests.soon()) != .timeout)
        _ = try capture.capture(into: picture, everything: false)
        #expect([639, 640, 641].map { Self.luma(picture, $0, 20) } == [235, 173, 173])

        let smaller = try capture.makePicture(
            size: PixelSize(width: 320, height: 200), chroma: .yuv420, color: .bt709)
        #expect(try capture.capture(into: smaller, everything: true) != nil)
        #expect(Self.luma(smaller, 100, 100) == 235)
    }

    @Test(
        "screens of 30, 16 and 15 bits are converted", arguments: [true, false],
        [(30, 0x3FF0_0000, 0x3FFF_FFFF), (16, 0xF800, 0xFFFF), (15, 0x7C00, 0x7FFF)] as [(Int, UInt32, UInt32)])
    func depths(shared: Bool, depth: (bits: Int, red: UInt32, white: UInt32)) throws {
        // An odd width: rows of 2 bytes a pixel are padded.
        let server = try XServer(width: 321, height: 200, depth: depth.bits)
        let capture = try X11ScreenCapture(display: server.display, useSharedMemory: shared)
        #expect(capture.notes.count == (shared ? 0 : 1))
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        server.fill(depth.white, x: 0, y: 0, width: 321, height: 200)
        server.fill(depth.red, x: 16, y: 16, width: 32, height: 32)
        try X11CaptureTests.settle(capture, picture)
        #expect(
            [(0, 0), (20, 20), (47, 47), (48, 48), (320, 199)].map { Self.luma(picture, $0.0, $0.1) } == [
                235, 63, 63, 235, 235,
            ])
    }

    @Test("a screen of shades or a palette is refused with what to do")
    func palette() throws {
        let server = try XServer(depth: 8)
        let error = #expect(throws: HelioError.self) { _ = try X11ScreenCapture(display: server.display) }
        #expect(error?.message.contains("8 bits a pixel") == true && error?.message.contains("24") == true)
    }

    @Test("a server's segment counts as ours only where a mark comes back from it")
    func foreignSegment() throws {
        let server = try XServer()
        let x = try X11Connection(display: server.display)
        let format = try X11PixelFormat(x)
        var (own, other): (Int32, Int32) = (-1, -1)
        let memory = try #require(helio_shm_create(4096, &own)).assumingMemoryBound(to: UInt8.self)
        let foreign = try #require(helio_shm_create(4096, &other)).assumingMemoryBound(to: UInt8.self)
        defer {
            shmdt(memory)
            shmdt(foreign)
        }
        // Like a server in another IPC namespace: the same segment number, but other memory.
        let name = xcb_generate_id(x.raw)
        #expect(try x.succeeded(xcb_shm_attach_checked(x.raw, name, UInt32(bitPattern: other), 0)))
        helio_shm_forget(own)
        helio_shm_forget(other)
        #expect(try X11Pixels.reads(foreign, as: name, x, format))
        #expect(try !X11Pixels.reads(memory, as: name, x, format))
    }

    @Test("input goes through, and pictures go on, while another program has the server for itself")
    func grabbedServer() throws {
        let server = try XServer()
        let window = InputWindow(server)
        let injector = try XTestInjector(display: server.display)
        let capture = try X11ScreenCapture(display: server.display)
        let picture = try capture.makePicture(size: capture.size, chroma: .yuv420, color: .bt709)
        injector.movePointer(toX: 50, y: 50)
        XTestInjectorTests.settle(injector)
        try server.alone {
            server.sync()
            injector.button(.left, isDown: true)
            injector.button(.left, isDown: false)
            injector.flush()
            var events: [[Int]] = []
            let patience = Patience()
            while events.count < 2, !patience.isOver { events += try window.events() }
            #expect(events == [[4, 1], [5, 1]])
            #expect(try capture.capture(into: picture, everything: true) != nil)
        }
    }

    @Test("while somebody watches, the screen saver stays away; then it comes", arguments: [true, false])
    func screenSaver(isWatched: Bool) throws {
        let server = try XServer()
        let capture = try X11ScreenCapture(display: server.display)
        try server.run("xset", "s", "1", "1")
        capture.keepAwake(true)
        if !isWatched { capture.keepAwake(false) }
        // Waits until the server has been idle for more than twice that time, by its own clock.
        let state = try server.run(
            "python3", "-c",
            """
            import ctypes as c, time
            x, s = c.CDLL("libX11.so.6"), c.CDLL("libXss.so.1")
            class Info(c.Structure):
                _fields_ = [("window", c.c_ulong), ("state", c.c_int), ("kind", c.c_int), ("since", c.c_ulong),
                            ("idle", c.c_ulong), ("mask", c.c_ulong)]
            x.XOpenDisplay.restype = x.XDefaultRootWindow.restype = c.c_void_p
            d = c.c_void_p(x.XOpenDisplay(None))
            root = c.c_ulong(x.XDefaultRootWindow(d))
            info = Info()
            for _ in range(400):
                s.XScreenSaverQueryInfo(d, root, c.byref(info))
                if info.idle > 2500: break
                time.sleep(0.05)
            print(info.state)
            """)
        #expect(state.trimmed == (isWatched ? "0" : "1"))
    }

    @Test("a desktop's session is asked to stay awake by D-Bus, and may sleep when nobody watches")
    func session() throws {
        let bus = try RunningProgram("dbus-daemon", ["--session", "--nofork", "--print-address"], environment: [:])
        defer { bus.kill() }
        let address = try bus.line("the bus's address") { $0.hasPrefix("unix:") }
        let desktop = try RunningProgram(
            "/usr/bin/python3", ["-u", "-c", Self.screenSaverService],
            environment: ["DBUS_SESSION_BUS_ADDRESS": address])
        defer { desktop.kill() }
        try desktop.line(with: "ready")
        var inhibitor = SessionInhibitor(address: address)
        #expect(inhibitor != nil)
        try desktop.line(with: "inhibited by Heliograph")
        inhibitor = nil
        try desktop.line(with: "free again")
    }

    /// A desktop's screen saver service: reports each caller, and its end.
    private static let screenSaverService = """
        from gi.repository import Gio, GLib

        name, path = "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver"
        node = Gio.DBusNodeInfo.new_for_xml(
            f'<node><interface name="{name}"><method name="Inhibit"><arg type="s" direction="in"/>'
            '<arg type="s" direction="in"/><arg type="u" direction="out"/></method></interface></node>')

        def called(connection, sender, path, interface, method, arguments, invocation):
            print("inhibited by", *arguments.unpack(), flush=True)
            Gio.bus_watch_name_on_connection(
                connection, sender, 0, None, lambda *_: print("free again", flush=True))
            invocation.return_value(GLib.Variant("(u)", (1,)))

        Gio.bus_own_name(
            Gio.BusType.SESSION, name, 0,
            lambda connection, _: connection.register_object(path, node.interfaces[0], called, None, None),
            lambda *_: print("ready", flush=True), None)
        GLib.MainLoop().run()
        """
}

extension String {
    fileprivate var trimmed: Substring { self.prefix { !$0.isWhitespace } }
}
