import Testing

@testable import HelioDBusWire

@Suite struct DBusWireTests {
    private static let values: [DBusValue] = [
        .byte(7), .bool(true), .int16(-2), .uint16(9), .int32(-5), .uint32(5), .int64(-1 << 40), .uint64(1 << 63),
        .double(1.5), .string("grüße"), .path("/a/b"), .signature("a{sv}"), .descriptor(0), .strings(["a", "", "bc"]),
        .structure([.byte(1), .double(2)]),
        .options(["one": .uint32(1), "two": .structure([.string("x"), .bool(false)])]),
        .variant(.variant(.array("x", []))), .array("(ua{sv})", [.structure([.uint32(3), .options([:])])]),
    ]

    private static func call(_ values: [DBusValue]) -> DBusMessage {
        var message = DBusMessage.call("org.example", "/org/example", "org.example.Thing", "Do", values)
        message.serial = 17
        return message
    }

    private static func read(_ bytes: [UInt8]) throws -> DBusMessage? {
        var input = DBusInput()
        input.append(bytes)
        return try input.next()
    }

    @Test func messagesComeBackAsTheyWere() throws {
        let message = Self.call(Self.values)
        let read = try #require(try Self.read(message.encoded()))
        #expect(read == message)
        #expect(try read.arguments() == Self.values)
    }

    /// The bytes of a `Hello` as libdbus sends it.
    @Test func bytesAreThoseOfOthers() throws {
        var message = DBusMessage.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "Hello")
        message.serial = 1
        let bytes = message.encoded()
        #expect(Array(bytes.prefix(16)) == [0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6D, 0, 0, 0])
        #expect(Array(bytes[16..<45]) == [1, 1, 0x6F, 0, 0x15, 0, 0, 0] + Array("/org/freedesktop/DBus".utf8))
        #expect(bytes.count == 128)
    }

    @Test func bigEndianIsReadToo() throws {
        // A reply with the serial number 2 to the call 1, and the argument 258.
        let bytes: [UInt8] =
            [
                0x42, 2, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, 15, 5, 1, 0x75, 0, 0, 0, 0, 1, 8, 1, 0x67, 0, 1, 0x75,
                0, 0,
            ]
            + [0, 0, 1, 2]
        let message = try #require(try Self.read(bytes))
        #expect(message.kind == .reply)
        #expect(message.replySerial == 1)
        #expect(try message.arguments() == [.uint32(258)])
    }

    @Test func piecesBecomeMessages() throws {
        let bytes = Self.call(Self.values).encoded() + Self.call([]).encoded()
        var input = DBusInput()
        var counts: [Int] = []
        for byte in bytes {
            input.append([byte])
            if let message = try input.next() { counts.append(try message.arguments().count) }
        }
        #expect(counts == [Self.values.count, 0])
    }

    @Test(arguments: [
        "a", "(", "()", "(i", "{sv}", "a{vs}", "a{s}", "a{sii}", "z", String(repeating: "a", count: 40) + "y",
    ])
    func badSignaturesAreRefused(_ signature: String) {
        #expect(throws: DBusFault.badSignature) { try DBusSignature.types(in: signature) }
    }

    @Test func lyingSizesAreRefused() throws {
        var bytes = Self.call([.string("abc")]).encoded()
        // The text's size, behind which are its 4 bytes.
        bytes[bytes.count - 8] = 200
        let message = try #require(try Self.read(bytes))
        #expect(throws: DBusFault.truncated) { try message.arguments() }
        var head = Self.call([]).encoded()
        head[7] = 0x7F
        #expect(throws: DBusFault.tooLarge) { try Self.read(head) }
    }

    @Test func valuesAreBounded() throws {
        let many = DBusValue.array("y", Array(repeating: .byte(0), count: 70_000))
        let message = try #require(try Self.read(Self.call([many]).encoded()))
        #expect(throws: DBusFault.tooLarge) { try message.arguments() }
    }

    /// Bytes that were changed at random are read or refused, never anything worse.
    @Test func changedBytesDoNoHarm() {
        let whole = Self.call(Self.values).encoded()
        var random: UInt64 = 0x9E37_79B9_7F4A_7C15
        func next(_ bound: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % bound
        }
        for _ in 0..<5000 {
            var bytes = whole
            for _ in 0...next(4) { bytes[next(bytes.count)] = UInt8(next(256)) }
            if let message = try? Self.read(Array(bytes.prefix(next(bytes.count) + 1))) { _ = try? message.arguments() }
        }
    }

    @Test func addresses() {
        #expect(DBusAddress.paths(in: "unix:path=/run/user/1000/bus,guid=12") == ["/run/user/1000/bus"])
        #expect(DBusAddress.paths(in: "tcp:host=a;unix:abstract=/x;unix:guid=1,path=/a%20b") == ["/a b"])
        #expect(DBusAddress.paths(in: "unix:path=%zz") == [])
    }
}
