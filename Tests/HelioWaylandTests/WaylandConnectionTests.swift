import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

@Suite("A connection to a compositor", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct WaylandConnectionTests {
    /// Reads events until the connection fails; returns the error's message.
    private static func failure(of connection: WaylandConnection) -> String? {
        do throws(HelioError) {
            // The fake closes the connection at the latest.
            while true { try connection.roundTrip { _ throws(HelioError) in } }
        } catch {
            return error.message
        }
    }

    @Test("globals are read at the start, and followed") func globals() throws {
        let compositor = FakeCompositor([(.shm, 1)])
        let connection = try compositor.connect()
        #expect(connection.globals.map(\.interface) == ["wl_shm"])
        compositor.addGlobal("wl_seat", 7)
        try connection.roundTrip { _ throws(HelioError) in }
        #expect(connection.globals.map(\.interface) == ["wl_shm", "wl_seat"])
        let seat = try #require(try connection.bind(.seat))
        #expect(seat.version == WaylandInterface.seat.latestVersion)
        #expect(try connection.bind(.dataControlManager) == nil)
    }

    @Test("identifiers are used again once the compositor has forgotten them") func identifiers() throws {
        let compositor = FakeCompositor([(.shm, 1)])
        let connection = try compositor.connect()
        var highest: UInt32 = 0
        for _ in 0..<5000 {
            try connection.roundTrip { notice throws(HelioError) in highest = max(highest, notice.object) }
        }
        #expect(highest < 16)
    }

    @Test("the compositor's error is told in its words, without control characters") func error() throws {
        let compositor = FakeCompositor()
        let connection = try compositor.connect()
        compositor.send(WaylandInterface.displayObject, 0, [.word(7), .word(3), .text("bad\u{1B}[31m request")])
        let message = Self.failure(of: connection)
        #expect(message == "The Wayland compositor at fake has ended the connection (error 3: bad[31m request).")
        #expect(Self.failure(of: connection) == message, "later calls have the same error")
    }

    @Test("a compositor that ends is an error") func end() throws {
        let compositor = FakeCompositor()
        let connection = try compositor.connect()
        compositor.hangUp()
        #expect(Self.failure(of: connection) == "The Wayland compositor at fake has closed the connection.")
    }

    @Test("bytes that are not Wayland's end the connection") func garbage() throws {
        let compositor = FakeCompositor()
        let connection = try compositor.connect()
        compositor.send(raw: [UInt8](repeating: 3, count: 64))
        #expect(Self.failure(of: connection)?.contains("not Wayland's protocol (wayland-message-size)") == true)
        #expect(connection.drops[.malformed] == 1)
    }

    @Test("events of unknown objects, too many globals and foreign objects are dropped and counted") func drops() throws
    {
        let compositor = FakeCompositor([])
        let connection = try compositor.connect()
        compositor.send(4711, 0, words: [1])
        for _ in 0..<6 {
            for _ in 0..<100 { compositor.addGlobal("wl_flood", 1) }
            // A socket takes some hundred messages that are not read.
            try connection.roundTrip { _ throws(HelioError) in }
        }
        compositor.addGlobal(String(repeating: "x", count: 500), 1)
        try connection.roundTrip { _ throws(HelioError) in }
        #expect(connection.drops[.unknownObject] == 1)
        #expect(connection.globals.count == 512 && connection.drops[.globalRefused] == 600 - 512 + 1)
        #expect(!connection.adopt(5, as: .dataControlOffer))
        #expect(connection.adopt(WaylandInterface.firstServerObject, as: .dataControlOffer))
        #expect(connection.drops[.objectRefused] == 1)
    }

    @Test("descriptors that no event takes end the connection, and are closed") func descriptors() throws {
        let compositor = FakeCompositor()
        let connection = try compositor.connect()
        let text = try #require(SharedText("lie"))
        for _ in 0..<8 { compositor.send(4711, 0, [], descriptors: Array(repeating: text.descriptor, count: 20)) }
        #expect(Self.failure(of: connection)?.contains("file descriptors that belong to no event") == true)
    }

    @Test("outputs have names, places, scales and turns, and come and go") func outputs() throws {
        let compositor = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 800, height: 600))])
        let connection = try compositor.connect()
        var outputs = try WaylandOutputs(connection)
        func follow() throws {
            // The second trip has the descriptions that the first one's bindings asked for.
            for _ in 0..<2 {
                try connection.roundTrip { notice throws(HelioError) in try outputs.take(notice, connection) }
            }
        }
        let (first, again) = (outputs.takeNews(), outputs.takeNews())
        #expect(first && !again)
        #expect(
            outputs.monitors == [
                ScreenMonitor(
                    id: "DP-1", name: "DP-1", rect: PixelRect(x: 0, y: 0, width: 800, height: 600), isPrimary: true)
            ])

        compositor.add(.init("DP-2", PixelSize(width: 640, height: 480)))
        compositor.change("DP-2") { output in
            output.transform = 1
            output.scale = 2
        }
        try follow()
        var isNews = outputs.takeNews()
        #expect(isNews)
        let second = try #require(outputs.monitors.last)
        #expect(second.id == "DP-2" && second.scale == 2 && !second.isPrimary)
        #expect(second.rect == PixelRect(x: 1600, y: 0, width: 480, height: 640))

        compositor.remove("DP-1")
        try follow()
        isNews = outputs.takeNews()
        #expect(isNews && outputs.monitors.map(\.id) == ["DP-2"] && outputs.monitors[0].isPrimary)
    }
}
