import HelioControlWire
import HelioCore
import HelioFuzzing
import Testing

struct ControlMessageTests {
    private static let point = NormalizedPoint(x: 0.25, y: 1)!
    private static let time: UInt64 = 0x0102_0304_0506_0708
    private static let timeBytes: [UInt8] = [8, 7, 6, 5, 4, 3, 2, 1]
    /// 0.25 and 1 as little-endian binary32.
    private static let pointBytes: [UInt8] = [0, 0, 0x80, 0x3E, 0, 0, 0x80, 0x3F]
    private static let half: [UInt8] = [0, 0, 0, 0x3F]
    private static let zero: [UInt8] = [0, 0, 0, 0]

    struct Vector: CustomTestStringConvertible, Sendable {
        var action: ControlEvent.Action
        var bytes: [UInt8]
        init(_ action: ControlEvent.Action, _ bytes: [UInt8]) {
            self.action = action
            self.bytes = bytes
        }
        var testDescription: String { "\(ControlEvent(action, timestamp: 0))" }
    }

    private static let vectors: [Vector] = [
        Vector(.touch(.down, point, pressure: 0.5), [0] + pointBytes + half + timeBytes),
        Vector(.touch(.move, point, pressure: 0.5), [1] + pointBytes + half + timeBytes),
        Vector(.touch(.up, point, pressure: 0), [2] + pointBytes + zero + timeBytes),
        Vector(.pointerMove(point), [3] + pointBytes + zero + timeBytes),
        Vector(.touch(.cancelled, point, pressure: 0), [4] + pointBytes + zero + timeBytes),
        Vector(
            .scroll(at: point, dx: 1, dy: -120), [5] + pointBytes + zero + timeBytes + [1, 0, 0x88, 0xFF]),
        Vector(.key(usage: 4, modifiers: .leftShift, isDown: true), [6, 4, 0, 2, 1] + timeBytes),
        Vector(.key(usage: 0xE7, modifiers: [], isDown: false), [6, 0xE7, 0, 0, 0] + timeBytes),
        Vector(.button(.right, isDown: true, at: point), [7, 2, 3] + pointBytes + timeBytes),
        Vector(.button(.left, isDown: false, at: nil), [7, 0, 0, 0, 0, 0, 0x3F, 0, 0, 0, 0x3F] + timeBytes),
        Vector(
            .relativeMotion(totalX: -2, totalY: .max),
            [8, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] + timeBytes),
        Vector(.text("é!"), [9] + timeBytes + [3, 0, 0xC3, 0xA9, 0x21]),
        Vector(.releaseAll, [10] + timeBytes),
        Vector(.requestControl, [11] + timeBytes),
        Vector(.handOver, [12] + timeBytes),
        Vector(.character("€", usage: 8), [14, 8, 0, 0xAC, 0x20, 0, 0] + timeBytes),
        Vector(.locks(LockState(caps: true, num: false)), [15, 0b1101] + timeBytes),
        Vector(.locks(LockState(num: true)), [15, 0b1010] + timeBytes),
        Vector(.locks(LockState()), [15, 0] + timeBytes),
        Vector(.selectMonitor("DP-1"), [13] + timeBytes + [4, 0x44, 0x50, 0x2D, 0x31]),
    ]

    /// A datagram with one reliable event, sequence 0x11223344, sent at time 1.
    private static func datagram(_ event: [UInt8]) -> [UInt8] {
        [1, 0, 1, 0, 0, 0, 1, 0x44, 0x33, 0x22, 0x11] + event
    }

    @Test(arguments: vectors)
    func events(vector: Vector) throws {
        let event = ControlEvent(vector.action, timestamp: Self.time)
        let input = ControlInput(sentAt: 1, firstSequence: 0x1122_3344, events: [event])
        let bytes = ControlMessage.input(input).serialised()
        #expect(bytes == Self.datagram(vector.bytes))
        #expect(event.size == vector.bytes.count)
        #expect(try ControlMessage(parsing: bytes.span.bytes) == .input(input))
    }

    /// The body of each message is 21 bytes long (row 64).
    @Test func bodyIs21Bytes() {
        for vector in Self.vectors.prefix(5) { #expect(vector.bytes.count == 21) }
    }

    @Test(
        arguments: [
            (
                ControlMessage.input(
                    ControlInput(
                        sentAt: 0, firstSequence: 5, events: [],
                        motion: .init(sequence: 7, after: 5, event: ControlEvent(.pointerMove(point), timestamp: time)))
                ),
                [1, 1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 7, 0, 0, 0, 5, 0, 0, 0, 3] + pointBytes + zero + timeBytes
            ),
            (
                .acknowledgement(
                    ControlAcknowledgement(nextEvent: 1, nextMotion: .max, echo: 0x0A0B_0C0D, eventsPerSecond: 30)),
                [2, 1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0D, 0x0C, 0x0B, 0x0A, 30, 0]
            ),
            (.ping(id: 2, t1: -1), [3, 2, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)),
            (
                .pong(id: 2, t1: 1, t2: 2, t3: Int64(time)),
                [4, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0] + timeBytes
            ),
            (
                .cursorPosition(CursorPosition(sequence: 9, point: point, isVisible: true)),
                [5, 9, 0, 0, 0] + pointBytes + [1]
            ),
            (.keepAlive, [6]), (.bye, [7]),
            (.driver(DriverNotice(sequence: 1, driver: .nobody)), [8, 1, 0, 0, 0, 0, 0]),
            (.driver(DriverNotice(sequence: .max, driver: .you)), [8, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0]),
            (.driver(DriverNotice(sequence: 2, driver: .other(name: "é"))), [8, 2, 0, 0, 0, 2, 2, 0xC3, 0xA9]),
            (.driver(DriverNotice(sequence: 3, driver: .you, asker: "é")), [8, 3, 0, 0, 0, 3, 2, 0xC3, 0xA9]),
        ] as [(ControlMessage, [UInt8])])
    func messages(message: ControlMessage, bytes: [UInt8]) throws {
        #expect(message.serialised() == bytes)
        #expect(try ControlMessage(parsing: bytes.span.bytes) == message)
    }

    @Test(arguments: vectors)
    func everyTruncationAndExtensionIsRefused(vector: Vector) {
        let bytes = Self.datagram(vector.bytes)
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(throws: ControlWireError.truncated) { try ControlMessage(parsing: cut.span.bytes) }
        }
        let longer = bytes + [0]
        #expect(throws: ControlWireError.trailingBytes) { try ControlMessage(parsing: longer.span.bytes) }
    }

    private static func bits(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }

    @Test(arguments: [
        Float.nan, .signalingNaN, .infinity, -.infinity, -.leastNonzeroMagnitude, -1, Float(1).nextUp,
        .greatestFiniteMagnitude,
    ])
    func coordinatesOutsideAreRefused(bad: Float) {
        let (bad, good) = (Self.bits(bad), Self.bits(0.5))
        let hostile = [
            [3] + bad + good + good, [3] + good + bad + good, [0] + good + good + bad, [5] + bad + good + good,
            [7, 0, 1] + bad + good, [7, 0, 0] + good + bad,
        ].map { Self.datagram($0 + Self.timeBytes) }
        for bytes in hostile + [[5, 0, 0, 0, 0] + bad + good + [1]] {
            #expect(throws: ControlWireError.badCoordinate) { try ControlMessage(parsing: bytes.span.bytes) }
        }
    }

    @Test(
        arguments: [
            ([0], .truncated), ([0, 1, 0x41], .badValue), ([1, 1, 0x41], .badValue), ([4, 0], .badValue),
            ([2, 2, 0x41], .truncated), ([2, 1, 0x41, 0], .trailingBytes), ([2, 1, 0xFF], .badText),
            ([2, 65] + [UInt8](repeating: 0x41, count: 65), .badText),
        ] as [([UInt8], ControlWireError)])
    func badNoticesAreRefused(body: [UInt8], error: ControlWireError) {
        let bytes = [8, 1, 0, 0, 0] + body
        #expect(throws: error) { try ControlMessage(parsing: bytes.span.bytes) }
    }

    @Test func edgesAreInside() {
        #expect(NormalizedPoint(x: 0, y: 1) != nil)
        #expect(NormalizedPoint(x: -0.0, y: .leastNonzeroMagnitude) != nil)
        #expect(NormalizedPoint(clampingX: -3, y: 7) == NormalizedPoint(x: 0, y: 1))
        #expect(NormalizedPoint(clampingX: .nan, y: 0) == nil)
        #expect(NormalizedPoint(clampingX: 0, y: -.infinity) == nil)
    }

    @Test(
        arguments: [
            ([0], ControlWireError.unknownKind), ([9], .unknownKind), ([255], .unknownKind), ([], .truncated),
            ([6, 0], .trailingBytes), ([7, 7], .trailingBytes),
            ([UInt8](repeating: 6, count: ControlMessage.maximumSize + 1), .tooLarge),
            ([1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], .badValue), (datagram([16] + timeBytes), .unknownAction),
            (datagram([13] + timeBytes), .truncated), (datagram([14] + timeBytes), .badValue),
            (datagram([14, 4, 0, 0, 0xD8, 0, 0] + timeBytes), .badText),
            (datagram([14, 4, 0, 0, 0, 0x11, 0] + timeBytes), .badText), (datagram([15, 1] + timeBytes), .badValue),
            (datagram([15, 0x10] + timeBytes), .badValue),
            (datagram([255] + timeBytes), .unknownAction), (datagram([6, 3, 0, 0, 0] + timeBytes), .badValue),
            (datagram([6, 0xE8, 0, 0, 0] + timeBytes), .badValue), (datagram([6, 4, 1, 0, 0] + timeBytes), .badValue),
            (datagram([6, 4, 0, 0, 2] + timeBytes), .badValue),
            (datagram([7, 5, 1] + pointBytes + timeBytes), .badValue),
            (datagram([7, 0, 4] + pointBytes + timeBytes), .badValue), (datagram([9] + timeBytes + [0, 0]), .badText),
            (datagram([9] + timeBytes + [1, 1] + [UInt8](repeating: 65, count: 257)), .badText),
            (datagram([9] + timeBytes + [2, 0, 0xC3, 0x28]), .badText),
            (datagram([9] + timeBytes + [3, 0, 0xED, 0xA0, 0x80]), .badText),
            (datagram([9] + timeBytes + [5, 0, 65]), .truncated),
            ([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10] + timeBytes, .badValue),
            ([1, 0, 0, 0, 0, 0, 255, 0, 0, 0, 0], .truncated),
            ([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .badValue),
            ([5, 0, 0, 0, 0] + pointBytes + [2], .badValue),
        ] as [([UInt8], ControlWireError)])
    func refused(bytes: [UInt8], error: ControlWireError) {
        #expect(throws: error) { try ControlMessage(parsing: bytes.span.bytes) }
    }

    @Test func keysAndTextReachNoText() {
        let event = ControlEvent(.text("geheim"), timestamp: 1)
        #expect("\(event)" == "text")
        #expect("\(ControlMessage.input(ControlInput(sentAt: 0, firstSequence: 0, events: [event])))".contains("text"))
        #expect(
            !String(reflecting: ControlInput(sentAt: 0, firstSequence: 0, events: [event])).contains("geheim"))
        #expect("\(ControlEvent(.key(usage: 0x1D, modifiers: [], isDown: true), timestamp: 1))" == "key")
    }

    @Test func modifierKeysHaveTheirBits() {
        #expect(USBKeyboard.modifier(of: USBKeyboard.leftControl) == .leftControl)
        #expect(USBKeyboard.modifier(of: USBKeyboard.rightGUI) == .rightGUI)
        #expect(USBKeyboard.modifier(of: USBKeyboard.a) == nil)
    }

    @Test func seededFuzz() {
        var generator = SeededGenerator(seed: 64)
        for _ in 0..<20_000 {
            var bytes = Self.datagram(Self.vectors.randomElement(using: &generator)?.bytes ?? [])
            if Bool.random(using: &generator) {
                bytes[1] = 1
                bytes += [0, 0, 0, 0, 0x45, 0x33, 0x22, 0x11] + Self.vectors[3].bytes
            }
            for i in 7..<11 { bytes[i] = UInt8.random(in: 0...1, using: &generator) == 0 ? 0 : bytes[i] }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            ControlWireFuzz.run(bytes)
        }
    }
}
