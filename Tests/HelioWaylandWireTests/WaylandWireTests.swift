import HelioCore
import HelioWaylandWire
import Testing

@Suite("Wayland's wire format") struct WaylandWireTests {
    /// A message's words, in the machine's byte order.
    private static func bytes(_ words: [UInt32]) -> [UInt8] {
        words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
    }

    private static func event(
        _ interface: WaylandInterface, _ opcode: UInt16, _ body: [UInt8], descriptors: [Int32] = []
    ) throws -> WaylandEvent {
        var input = WaylandInput()
        try input.receive([], descriptors: descriptors)
        return try .parse(WaylandInput.Message(object: 7, opcode: opcode, body: body), of: interface, &input)
    }

    @Test("a request is its object, its size above its opcode, and its arguments in words")
    func requests() {
        var bytes: [UInt8] = []
        WaylandRequest.getRegistry(2).append(to: &bytes, object: 1)
        #expect(bytes == Self.bytes([1, 12 << 16 | 1, 2]))

        bytes = []
        WaylandRequest.bind(name: 9, .output, version: 4, id: 3).append(to: &bytes, object: 2)
        // "wl_output" has nine letters and a zero byte, padded to twelve.
        #expect(bytes.count == 8 + 4 + 4 + 12 + 8)
        #expect(bytes[4..<8].elementsEqual(Self.bytes([UInt32(bytes.count) << 16])))
        #expect(bytes[12..<16].elementsEqual(Self.bytes([10])))
        #expect(bytes[16..<28].elementsEqual(Array("wl_output".utf8) + [0, 0, 0]))
        #expect(bytes[28...].elementsEqual(Self.bytes([4, 3])))

        bytes = []
        WaylandRequest.motion(time: 1, dx: -1.5, dy: 2).append(to: &bytes, object: 5)
        #expect(bytes == Self.bytes([5, 20 << 16, 1, UInt32(bitPattern: -384), 512]))
        bytes = []
        WaylandRequest.motion(time: 1, dx: -.infinity, dy: 1e300).append(to: &bytes, object: 5)
        #expect(bytes.count == 20, "a number beyond the format's range is clamped")
    }

    @Test("requests follow one another in a buffer, and only those with a descriptor name it")
    func descriptors() {
        var bytes: [UInt8] = []
        WaylandRequest.pointerFrame.append(to: &bytes, object: 4)
        WaylandRequest.receive(type: "a\0b", descriptor: 11).append(to: &bytes, object: 6)
        #expect(bytes == Self.bytes([4, 8 << 16 | 4, 6, 16 << 16, 2]) + [UInt8(ascii: "a"), 0, 0, 0])
        #expect(WaylandRequest.receive(type: "", descriptor: 11).descriptor == 11)
        #expect(WaylandRequest.pointerFrame.descriptor == nil)
    }

    @Test("messages are cut at any places") func cuts() throws {
        let stream = Self.bytes([1, 12 << 16 | 1, 77, 8, 8 << 16 | 3, 9, 16 << 16, 5, 6])
        for step in 1...stream.count {
            var input = WaylandInput()
            var messages: [WaylandInput.Message] = []
            for start in stride(from: 0, to: stream.count, by: step) {
                try input.receive(stream[start..<min(stream.count, start + step)], descriptors: [])
                while let message = try input.next() { messages.append(message) }
            }
            #expect(messages.map(\.object) == [1, 8, 9] && messages.map(\.opcode) == [1, 3, 0], "in steps of \(step)")
            #expect(messages.map(\.body) == [Self.bytes([77]), [], Self.bytes([5, 6])])
        }
    }

    @Test("a size that no message has ends the stream", arguments: [0, 4, 7, 9, 10]) func sizes(size: UInt32) throws {
        var input = WaylandInput()
        try input.receive(Self.bytes([1, size << 16, 0, 0, 0])[...], descriptors: [])
        #expect(throws: WaylandFault.size) { try input.next() }
    }

    @Test("events have their arguments") func events() throws {
        #expect(
            try Self.event(.screencopyFrame, 0, Self.bytes([1, 640, 400, 2560]))
                == .buffer(ShmLayout(format: 1, width: 640, height: 400, stride: 2560)))
        #expect(
            try Self.event(.screencopyFrame, 4, Self.bytes([1, 2, 3, 4]))
                == .damage(PixelRect(x: 1, y: 2, width: 3, height: 4)))
        #expect(try Self.event(.screencopyFrame, 2, Self.bytes([0, 2, 5])) == .ready(2_000_000_005))
        #expect(try Self.event(.screencopyFrame, 2, Self.bytes([.max, .max, .max])) == .ready(0))
        #expect(
            try Self.event(.output, 1, Self.bytes([3, 1920, 1080, 60000]))
                == .mode(isCurrent: true, PixelSize(width: 1920, height: 1080)))
        #expect(try Self.event(.dataControlDevice, 1, Self.bytes([0])) == .selection(nil))
        #expect(try Self.event(.seat, 0, Self.bytes([3])) == .capabilities(3))
        #expect(try Self.event(.screencopyFrame, 3, []) == .failed(.unknown))
        #expect(try Self.event(.display, 99, []) == .other, "an event of a later version")
        #expect(
            try Self.event(.output, 4, Self.bytes([5]) + Array("DP-1".utf8) + [0, 0, 0, 0]) == .name("DP-1"))
        #expect(try Self.event(.output, 4, Self.bytes([0])) == .name(""))
    }

    @Test("image-copy-capture's requests and events have their numbers and arguments") func sessions() throws {
        func words(_ request: WaylandRequest) -> [UInt32] {
            var bytes: [UInt8] = []
            request.append(to: &bytes, object: 9)
            return stride(from: 0, to: bytes.count, by: 4).map { offset in
                bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }
            }
        }
        // Of ext-image-copy-capture-v1.xml and ext-image-capture-source-v1.xml, wayland-protocols 1.49.
        #expect(words(.createSource(2, output: 3)) == [9, 16 << 16, 2, 3])
        #expect(words(.createSession(2, source: 3, withCursor: true)) == [9, 20 << 16, 2, 3, 1])
        #expect(words(.createCursorSession(2, source: 3, pointer: 4)) == [9, 20 << 16 | 1, 2, 3, 4])
        #expect(words(.getCaptureSession(2)) == [9, 12 << 16 | 1, 2])
        #expect(words(.createFrame(2)) == [9, 12 << 16, 2])
        #expect(words(.attachBuffer(2)) == [9, 12 << 16 | 1, 2])
        #expect(
            words(.damageBuffer(PixelRect(x: 1, y: 2, width: 3, height: 4))) == [9, 24 << 16 | 2, 1, 2, 3, 4])
        #expect(words(.capture) == [9, 8 << 16 | 3])
        #expect(words(.getPointer(2)) == [9, 12 << 16, 2])

        let minus = UInt32(bitPattern: -5)
        for (interface, opcode, arguments, event) in [
            (.copySession, 0, [640, 400], .bufferSize(PixelSize(width: 640, height: 400))),
            (.copySession, 1, [7], .shmFormat(7)), (.copySession, 2, [0], .other), (.copySession, 3, [1, 0], .other),
            (.copySession, 4, [], .bufferDone), (.copySession, 5, [], .stopped), (.copyFrame, 0, [3], .transform(3)),
            (.copyFrame, 1, [minus, 2, 3, 4], .damage(PixelRect(x: -5, y: 2, width: 3, height: 4))),
            (.copyFrame, 2, [0, 1, 2], .other), (.copyFrame, 3, [], .ready(0)),
            (.copyFrame, 4, [1], .failed(.needs)), (.copyFrame, 4, [2], .failed(.stopped)),
            (.copyFrame, 4, [99], .failed(.unknown)), (.cursorSession, 0, [], .pointerEntered),
            (.cursorSession, 1, [], .pointerLeft), (.cursorSession, 2, [minus, 6], .pointerPosition(x: -5, y: 6)),
            (.cursorSession, 3, [1, 2], .hotspot(x: 1, y: 2)),
        ] as [(WaylandInterface, UInt16, [UInt32], WaylandEvent)] {
            #expect(try Self.event(interface, opcode, Self.bytes(arguments)) == event)
            if ![.other, .stopped, .bufferDone, .ready(0), .pointerEntered, .pointerLeft].contains(event) {
                #expect(throws: WaylandFault.arguments) {
                    try Self.event(interface, opcode, Self.bytes(arguments.dropLast()))
                }
            }
        }
    }

    @Test("events that are too short, or lie about a string, can't be read") func lies() {
        for body in [[], [1, 640, 400]] as [[UInt32]] {
            #expect(throws: WaylandFault.arguments) { try Self.event(.screencopyFrame, 0, Self.bytes(body)) }
        }
        // Longer than the message; without its zero byte; a length that would overflow.
        for body in [Self.bytes([400]) + [65, 0, 0, 0], Self.bytes([4]) + [65, 66, 67, 68], Self.bytes([.max, 0])] {
            #expect(throws: WaylandFault.arguments) { try Self.event(.output, 4, body) }
        }
    }

    @Test("a descriptor goes to the event that carries one, or is left to be closed") func fates() throws {
        let type = Self.bytes([5]) + Array("a/bc".utf8) + [0, 0, 0, 0]
        #expect(
            try Self.event(.dataControlSource, 0, type, descriptors: [41]) == .send(type: "a/bc", descriptor: 41))
        #expect(throws: WaylandFault.descriptorMissing) { try Self.event(.dataControlSource, 0, type) }

        var input = WaylandInput()
        try input.receive([], descriptors: [41, 42])
        let broken = WaylandInput.Message(object: 7, opcode: 0, body: Self.bytes([400]))
        #expect(throws: WaylandFault.arguments) { try WaylandEvent.parse(broken, of: .dataControlSource, &input) }
        #expect(input.takeDescriptors() == [41, 42] && input.takeDescriptors().isEmpty)
    }

    @Test("more descriptors than events can take are refused") func flood() throws {
        var input = WaylandInput()
        let most = WaylandInput.mostDescriptors
        try input.receive([], descriptors: Array(repeating: 5, count: most))
        #expect(throws: WaylandFault.descriptorFlood) { try input.receive([], descriptors: [6]) }
        #expect(input.takeDescriptors().count == most)
    }

    @Test("any bytes end in events, faults, or a wait for more") func anything() {
        var generator = SeededGenerator(seed: 44)
        for _ in 0..<20_000 {
            var input = WaylandInput()
            var bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            // Mostly a plausible size, so that arguments are reached.
            if bytes.count >= 8, Bool.random(using: &generator) {
                bytes.replaceSubrange(4..<8, with: Self.bytes([UInt32(bytes.count & ~3) << 16 | UInt32(bytes[4] % 8)]))
            }
            let interface = WaylandInterface.allCases.randomElement(using: &generator) ?? .display
            do throws(WaylandFault) {
                try input.receive(bytes[...], descriptors: Bool.random(using: &generator) ? [9] : [])
                while let message = try input.next() { _ = try WaylandEvent.parse(message, of: interface, &input) }
            } catch {
                #expect(WaylandFault.allCases.contains(error))
            }
        }
    }
}
