import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

@Suite("Copies by sessions", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct SessionCopiesTests {
    private static let size = PixelSize(width: 200, height: 64)
    private static let whole = PixelRect(size)

    /// A client of a fake compositor with one output.
    private final class Client {
        let pixels = PaintedPixels()
        let compositor: FakeCompositor
        let connection: WaylandConnection
        var outputs: WaylandOutputs
        let copies: SessionCopies

        init() throws {
            var output = FakeCompositor.Output("DP-1", SessionCopiesTests.size)
            output.pattern = pixels.pattern
            compositor = FakeCompositor(FakeCompositor.sessionGlobals, outputs: [output])
            connection = try compositor.connect()
            outputs = try WaylandOutputs(connection)
            copies = try SessionCopies(connection)
        }

        /// Asks for a copy, and waits for its result.
        func copy(isWhole: Bool = false, meanwhile: () throws -> Void = {}) throws -> CopyResult {
            try copies.ask(of: try #require(outputs.usable.first).object, isWhole: isWhole)
            // The compositor has the request once the needs, if they are to be told, have come and been answered.
            var result: CopyResult?
            for _ in 0..<3 { result = try turn() ?? result }
            if let result { return result }
            try meanwhile()
            let patience = Patience()
            while !patience.isOver {
                if let result = try turn() { return result }
            }
            throw Patience.Exhausted(description: "no copy came")
        }

        /// Handles all events up to the compositor's answer.
        func turn() throws -> CopyResult? {
            var result: CopyResult?
            try connection.roundTrip { notice throws(HelioError) in
                try outputs.take(notice, connection)
                if let found = try copies.take(notice) { result = found }
            }
            return result
        }

        /// Handles events until something holds.
        func wait(for what: String, _ holds: () -> Bool) throws {
            let patience = Patience()
            while !patience.isOver {
                if holds() { return }
                _ = try turn()
            }
            throw Patience.Exhausted(description: "no \(what)")
        }

        func pixel(_ x: Int, _ y: Int) -> UInt8? {
            copies.newest.map { $0.pixels[y * $0.stride + x * 4] }
        }
    }

    @Test("the first copy is whole, later ones come after a change, and are written only where they must be")
    func changes() throws {
        let client = try Client()
        #expect(try client.copy(isWhole: true) == .copied(changed: nil))
        let first = try #require(client.copies.newest)
        #expect(first.size == Self.size && first.format.isBGRX && client.copies.transform == .normal)
        // The second memory is new: it is written as a whole, whatever has changed.
        client.pixels.set(0x11, at: (3, 5))
        #expect(
            try client.copy { client.compositor.touch("DP-1", PixelRect(x: 3, y: 5, width: 1, height: 1)) }
                == .copied(changed: Region(PixelRect(x: 3, y: 5, width: 1, height: 1))))
        #expect(client.pixel(3, 5) == 0x11 && client.compositor.sessionCounts.pixels == 2 * Self.whole.area)
        #expect(client.copies.newest !== first)

        // From now on two memories take turns: each gets what has changed since it was last written.
        client.pixels.set(0x22, at: (150, 40))
        #expect(
            try client.copy { client.compositor.touch("DP-1", PixelRect(x: 150, y: 40, width: 2, height: 2)) }
                == .copied(changed: Region(PixelRect(x: 150, y: 40, width: 2, height: 2))))
        #expect(client.copies.newest === first)
        #expect(client.pixel(3, 5) == 0x11 && client.pixel(150, 40) == 0x22)
        #expect(client.compositor.sessionCounts.pixels == 2 * Self.whole.area + 1 + 4)
        #expect(client.compositor.sessionCounts.sessions == 1)
    }

    @Test("many small changes never leave a memory behind") func turns() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        var generator = SeededGenerator(seed: 7)
        var expected: [Int: UInt8] = [:]
        for colour in 1...60 {
            let (x, y) = (Int.random(in: 0..<200, using: &generator), Int.random(in: 0..<64, using: &generator))
            client.pixels.set(UInt32(colour), at: (x, y))
            expected[y * 200 + x] = UInt8(colour)
            _ = try client.copy { client.compositor.touch("DP-1", PixelRect(x: x, y: y, width: 1, height: 1)) }
            for (place, value) in expected { #expect(client.pixel(place % 200, place / 200) == value) }
        }
    }

    @Test("without a change there is no copy, and damage without one is told as none") func still() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        #expect(try client.copy { client.compositor.touch("DP-1", Self.whole) } == .copied(changed: Region()))
        try client.copies.ask(of: client.outputs.usable[0].object, isWhole: false)
        let before = client.compositor.copies
        for _ in 0..<10 { #expect(try client.turn() == nil) }
        #expect(client.copies.isCopying && client.compositor.copies == before)
        client.copies.cancel()
        #expect(!client.copies.isCopying)
    }

    @Test("a whole copy comes at once, by a new session") func whole() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        #expect(try client.copy(isWhole: true) == .copied(changed: nil))
        #expect(client.compositor.sessionCounts.sessions == 2)
    }

    @Test("another size takes another memory, also while a copy waits") func size() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        client.compositor.change("DP-1") { $0.mode = PixelSize(width: 48, height: 20) }
        _ = try client.copy { client.compositor.touch("DP-1", PixelRect(x: 0, y: 0, width: 1, height: 1)) }
        #expect(client.copies.newest?.size == PixelSize(width: 48, height: 20))
        _ = try client.copy {
            client.compositor.change("DP-1") { $0.mode = PixelSize(width: 60, height: 30) }
            _ = try client.turn()
            client.compositor.touch("DP-1", PixelRect(x: 0, y: 0, width: 1, height: 1))
        }
        #expect(client.copies.newest?.size == PixelSize(width: 60, height: 30))
    }

    @Test("a copy that fails may be asked for again, for whatever reason", arguments: [CopyFailure.unknown, .needs])
    func failures(reason: CopyFailure) throws {
        let client = try Client()
        client.compositor.failSessions(reason)
        #expect(try client.copy(isWhole: true) == .failed)
        #expect(client.copies.newest == nil && client.copies.refusal == nil)
        client.compositor.failSessions(nil)
        #expect(try client.copy(isWhole: true) == .copied(changed: nil))
    }

    @Test("a session that is stopped is a failure once, and another begins") func stopped() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        #expect(try client.copy { client.compositor.stopSessions(of: "DP-1") } == .failed)
        #expect(try client.copy() == .copied(changed: nil))
        client.compositor.stopSessions(of: "DP-1")
        // Nobody waits for a copy, so nothing has failed.
        #expect(try client.turn() == nil)
        #expect(try client.copy() == .copied(changed: nil))
        #expect(client.compositor.sessionCounts.sessions == 3)
    }

    @Test("formats are chosen by how little they cost; without one that can be read there is a refusal") func formats()
        throws
    {
        let client = try Client()
        client.compositor.offer(formats: [0x3231_5659, 0x3432_4258, 0])
        _ = try client.copy(isWhole: true)
        #expect(client.copies.newest?.format.isBGRX == true)
        client.compositor.offer(formats: [0x3231_5659])
        #expect(try client.copy(isWhole: true) == .failed)
        #expect(client.copies.refusal == "The Wayland compositor's image-copy-capture offers no shared memory")
    }

    @Test("a size that no picture has is refused in words", arguments: [(0, 16), (1 << 20, 16), (32, 1 << 20)])
    func lies(width: Int, height: Int) throws {
        let client = try Client()
        client.compositor.change("DP-1") { $0.mode = PixelSize(width: width, height: height) }
        // The output's own description is not read here: a compositor may lie about one of the two.
        let output = try #require(client.outputs.all.first)
        try client.copies.ask(of: output.object, isWhole: true)
        let error = #expect(throws: HelioError.self) { for _ in 0..<5 { _ = try client.turn() } }
        #expect(error?.code == .captureFailed && error?.message.contains("which can't be") == true)
    }

    @Test("the pointer comes beside the picture: its place, its shape, whether it is there") func pointer() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        #expect(client.copies.pointer == CopiedPointer())
        var pointer = FakeCompositor.Pointer(
            on: "DP-1", x: 20, y: 30, size: PixelSize(width: 5, height: 7), colour: 0x8040_0020)
        pointer.hotspot = (2, 3)
        client.compositor.show(pointer)
        try client.wait(for: "shape") { client.copies.pointer?.shape != nil }
        let shown = try #require(client.copies.pointer)
        #expect(shown.isInside && (shown.x, shown.y) == (20, 30))
        let shape = try #require(shown.shape)
        #expect(shape.size == PixelSize(width: 5, height: 7) && (shape.hotspotX, shape.hotspotY) == (2, 3))
        // Half of 0x80 red and 0x40 blue, which the compositor has multiplied by alpha.
        #expect(Array(shape.rgba.prefix(4)) == [0x80, 0, 0x40, 0x80])

        pointer.x = -4
        client.compositor.show(pointer)
        try client.wait(for: "place") { client.copies.pointer?.x == -4 }
        pointer.colour = 0xFFFF_FFFF
        client.compositor.show(pointer)
        try client.wait(for: "other shape") { client.copies.pointer?.shape?.rgba.first == 0xFF }
        client.compositor.show(nil)
        try client.wait(for: "leave") { client.copies.pointer?.isInside == false }
        #expect(client.compositor.sessionCounts == (sessions: 1, withPointer: 0, pixels: Self.whole.area))
        #expect(client.copies.pointer?.shape != nil)
    }

    @Test("transparent edges of a shape are not sent") func crop() throws {
        let client = try Client()
        var pointer = FakeCompositor.Pointer(
            on: "DP-1", x: 1, y: 1, size: PixelSize(width: 64, height: 64), colour: 0)
        pointer.hotspot = (4, 5)
        client.compositor.show(pointer)
        _ = try client.copy(isWhole: true)
        try client.wait(for: "shape") { client.copies.pointer?.shape != nil }
        #expect(client.copies.pointer?.shape?.size == PixelSize(width: 5, height: 6))
    }

    @Test("where shapes can't be had, and on a turned output, the pointer is a part of the picture") func painted()
        throws
    {
        let client = try Client()
        client.compositor.setPointerFormats([1])
        client.compositor.show(
            FakeCompositor.Pointer(on: "DP-1", x: 1, y: 1, size: PixelSize(width: 8, height: 8), colour: 0xFFFF_FFFF))
        _ = try client.copy(isWhole: true)
        try client.wait(for: "decision") { client.copies.pointer == nil }
        #expect(try client.copy() == .copied(changed: nil), "the next copy is another session's")
        #expect(client.compositor.sessionCounts.withPointer == 1)

        let turned = try Client()
        turned.compositor.change("DP-1") { $0.transform = 1 }
        _ = try turned.copy(isWhole: true)
        #expect(turned.copies.transform == .turned90 && turned.copies.pointer == nil)
        _ = try turned.copy()
        #expect(turned.compositor.sessionCounts.withPointer == 1)
        turned.compositor.change("DP-1") { $0.transform = 0 }
        _ = try turned.copy { turned.compositor.touch("DP-1", Self.whole) }
        #expect(turned.copies.pointer != nil)
    }

    @Test("a compositor that lacks a part of it is not asked") func missing() throws {
        for left in [WaylandInterface.copyManager, .outputSourceManager, .shm] {
            let globals = FakeCompositor.sessionGlobals.filter { $0.0 != left }
            let compositor = FakeCompositor(globals)
            let connection = try compositor.connect()
            #expect(!SessionCopies.isOffered(connection))
            let error = #expect(throws: HelioError.self) { try SessionCopies(connection) }
            #expect(error?.code == .unsupported && error?.message.contains(left.rawValue) == true)
        }
        let whole = FakeCompositor(FakeCompositor.sessionGlobals)
        #expect(SessionCopies.isOffered(try whole.connect()))
    }
}
