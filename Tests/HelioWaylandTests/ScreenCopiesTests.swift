import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioWayland
import HelioWaylandWire
import Testing

@Suite("Copies of an output", .serialized, .timeLimit(.minutes(1)), .tags(.quiet)) struct ScreenCopiesTests {
    /// A client of a fake compositor with one output.
    private struct Client {
        let compositor = FakeCompositor(outputs: [.init("DP-1", PixelSize(width: 32, height: 16), colour: 0x112233)])
        let connection: WaylandConnection
        let outputs: WaylandOutputs
        let copies: ScreenCopies

        init() throws {
            connection = try compositor.connect()
            copies = try ScreenCopies(connection)
            outputs = try WaylandOutputs(connection)
        }

        /// Asks for a copy after the next change; returns its object once the compositor has it.
        func frameUnderWay() throws -> UInt32 {
            try copies.ask(of: try #require(outputs.usable.first).object, isWhole: false)
            for _ in 0..<3 {
                try connection.roundTrip { notice throws(HelioError) in #expect(try copies.take(notice) == nil) }
            }
            return try #require(compositor.waitingFrame)
        }

        /// Asks for a copy, and waits for its result.
        func copy(isWhole: Bool, meanwhile: () -> Void = {}) throws -> CopyResult {
            try copies.ask(of: try #require(outputs.usable.first).object, isWhole: isWhole)
            meanwhile()
            let patience = Patience()
            while !patience.isOver {
                var result: CopyResult?
                try connection.roundTrip { notice throws(HelioError) in
                    if let found = try copies.take(notice) { result = found }
                }
                if let result { return result }
            }
            throw Patience.Exhausted(description: "no copy came")
        }
    }

    @Test("pictures alternate between two memories, and say what has changed") func pictures() throws {
        let client = try Client()
        guard case .copied(nil) = try client.copy(isWhole: true) else {
            Issue.record("the first copy is not whole")
            return
        }
        let first = try #require(client.copies.newest)
        #expect(first.size == PixelSize(width: 32, height: 16) && first.stride == 128 && first.format.isBGRX)
        #expect((0..<3).map { first.pixels[15 * 128 + 31 * 4 + $0] } == [0x33, 0x22, 0x11])

        let part = PixelRect(x: 3, y: 4, width: 5, height: 6)
        let result = try client.copy(isWhole: false) { client.compositor.paint("DP-1", 0x445566, part) }
        guard case .copied(let changed?) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(changed == Region(part))
        let second = try #require(client.copies.newest)
        #expect(second !== first && second.pixels[0] == 0x66 && first.pixels[0] == 0x33, "the older one is kept")
        _ = try client.copy(isWhole: true)
        #expect(client.copies.newest === first)
    }

    @Test("without a change there is no copy") func still() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        try client.copies.ask(of: client.outputs.usable[0].object, isWhole: false)
        for _ in 0..<10 {
            try client.connection.roundTrip { notice throws(HelioError) in
                #expect(try client.copies.take(notice) == nil)
            }
        }
        #expect(client.copies.isCopying && client.compositor.copies == 1)
        client.copies.cancel()
        #expect(!client.copies.isCopying)
    }

    @Test("changes outside of the picture are cut off") func damage() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        let lie = PixelRect(x: 30, y: 2, width: 1000, height: 1000)
        let result = try client.copy(isWhole: false) { client.compositor.paint("DP-1", 0, lie) }
        guard case .copied(let changed?) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(changed == Region(PixelRect(x: 30, y: 2, width: 2, height: 14)))
        // The largest numbers of the wire, twice, so that areas are compared.
        let connection = client.connection
        let copies = client.copies
        let frame = try client.frameUnderWay()
        for _ in 0..<2 { client.compositor.send(frame, 4, words: [.max, 0, .max, .max]) }
        for _ in 0..<2 { client.compositor.send(frame, 4, words: [0, 0, .max, .max]) }
        client.compositor.paint("DP-1", 0xFFFFFF, PixelRect(x: 0, y: 0, width: 1, height: 1))
        var last: CopyResult?
        let patience = Patience()
        while last == nil, !patience.isOver {
            try connection.roundTrip { notice throws(HelioError) in last = try copies.take(notice) ?? last }
        }
        guard case .copied(let all?) = last else {
            Issue.record("\(String(describing: last))")
            return
        }
        #expect(all == Region(PixelRect(x: 0, y: 0, width: 32, height: 16)))
    }

    @Test("damage is told no wider than what differs from the picture before, down to nothing") func trimmed() throws {
        let pixels = PaintedPixels()
        let client = try Client()
        client.compositor.change("DP-1") { $0.pattern = pixels.pattern }
        _ = try client.copy(isWhole: true)
        let whole = PixelRect(x: 0, y: 0, width: 32, height: 16)
        pixels.set(0xFF, at: (20, 9))
        guard
            case .copied(let changed?) = try client.copy(
                isWhole: false, meanwhile: { client.compositor.paint("DP-1", 0, whole) })
        else {
            Issue.record("no copy")
            return
        }
        // A single tile covers so small a picture; of damage in a part of it, that part alone is compared.
        #expect(changed == Region(whole))
        let beside = PixelRect(x: 0, y: 0, width: 20, height: 16)
        for part in [whole, beside] {
            if part == beside { pixels.set(0xFF, at: (25, 3)) }
            guard
                case .copied(let none?) = try client.copy(
                    isWhole: false, meanwhile: { client.compositor.paint("DP-1", 0, part) })
            else {
                Issue.record("no copy")
                return
            }
            #expect(none.isEmpty)
        }
    }

    @Test("an output that is off fails, and may come back") func off() throws {
        let client = try Client()
        client.compositor.failCopies(true)
        guard case .failed = try client.copy(isWhole: true) else {
            Issue.record("no failure")
            return
        }
        #expect(client.copies.newest == nil)
        client.compositor.failCopies(false)
        guard case .copied = try client.copy(isWhole: true) else {
            Issue.record("no copy")
            return
        }
    }

    @Test("another size takes another memory") func size() throws {
        let client = try Client()
        _ = try client.copy(isWhole: true)
        client.compositor.change("DP-1") { $0.mode = PixelSize(width: 48, height: 20) }
        _ = try client.copy(isWhole: true)
        #expect(client.copies.newest?.size == PixelSize(width: 48, height: 20))
    }

    @Test(
        "memory that no picture has is refused in words",
        arguments: [
            (32, 16, 4, UInt32(1)), (32, 16, 1 << 20, 1), (0, 16, 128, 1), (1 << 20, 16, 1 << 22, 1),
            (32, 1 << 20, 128, 1),
            (32, 16, 128, 0x3231_5659),
        ])
    func lies(width: Int, height: Int, stride: Int, format: UInt32) throws {
        let client = try Client()
        client.compositor.lie { _ in ShmLayout(format: format, width: width, height: height, stride: stride) }
        let error = #expect(throws: HelioError.self) { try client.copy(isWhole: true) }
        #expect(error?.code == .captureFailed)
        #expect(error?.message.contains(format == 1 ? "which can't be" : "0x32315659") == true)
    }

    @Test("a copy that is done before it has begun is a failure") func early() throws {
        let client = try Client()
        client.compositor.lie(readyEarly: true)
        guard case .failed = try client.copy(isWhole: true) else {
            Issue.record("no failure")
            return
        }
        #expect(client.copies.refusal != nil && client.copies.newest == nil)
    }

    @Test("a compositor without screencopy, or with its first version, is named")
    func missing() throws {
        let none = FakeCompositor([(.shm, 1)])
        let error = #expect(throws: HelioError.self) { try ScreenCopies(none.connect()) }
        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "The Wayland compositor offers no zwlr_screencopy_manager_v1: its screen can't be captured "
                + "this way.")
        let old = FakeCompositor([(.shm, 1), (.screencopyManager, 1)])
        let second = #expect(throws: HelioError.self) { try ScreenCopies(old.connect()) }
        #expect(second?.message.contains("version 1") == true)
    }

    @Test("the formats of shared memory have their channels")
    func formats() {
        #expect(ShmFormat(code: 0)?.isBGRX == true && ShmFormat(code: 1)?.isBGRX == true)
        // XBGR8888 and XRGB2101010, as in drm_fourcc.h.
        #expect(ShmFormat(code: 0x3432_4258).map { [$0.red, $0.green, $0.blue] } == [0xFF, 0xFF00, 0xFF0000])
        #expect(ShmFormat(code: 0x3033_5258)?.depth == 30)
        #expect(ShmFormat(code: 0x3432_4742)?.bytesPerPixel == 3)
        #expect(ShmFormat(code: 0x3231_564E) == nil)
    }
}
