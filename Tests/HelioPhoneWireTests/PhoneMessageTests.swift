import HelioCore
import HelioPhoneWire
import Testing

/// The bytes of a string of hexadecimal digits; whitespace is ignored.
private func hex(_ digits: String) -> [UInt8] { Hexadecimal.bytes(digits.filter { !$0.isWhitespace })! }

@Suite("Messages between host and phone")
struct PhoneMessageTests {
    static let encoder = PhoneEncoder(
        codec: .h264, isHardware: true, alignment: PixelSize(width: 16, height: 8),
        largest: PixelSize(width: 4096, height: 2160), bitrate: 100_000_000, name: "avc")

    static let reports: [(PhoneReport, String)] = [
        (
            .device(PhoneDevice(sdk: 34, model: "P8", encoders: [encoder])),
            "01 00000018 0022 0002 5038 01 01 01 10 08 1000 0870 05F5E100 0003 617663"
        ),
        (
            .display(PhoneDisplay(size: PixelSize(width: 1080, height: 2400), quarterTurns: 1, id: 7)),
            "02 0000000B 0438 0960 01A4 01 00000007"
        ),
        (.encoding(encode: 3, size: PixelSize(width: 720, height: 1600), codec: .h265), "03 00000006 03 02D0 0640 02"),
        (.encodingFailed(encode: 3, .configure, "no"), "04 00000004 03 01 6E6F"),
        (.configuration(encode: 3, [0, 0, 0, 1, 0x67]), "05 00000006 03 00000001 67"),
        (
            .picture(PhonePicture(encode: 3, isKeyframe: true, microseconds: 258, annexB: [0, 0, 0, 1, 0x65])),
            "06 0000000F 03 01 0000000000000102 00000001 65"
        ),
        (.sound(microseconds: -1, [1, 2, 3, 4]), "07 0000000C FFFFFFFFFFFFFFFF 01020304"),
        (.clipboard("é"), "08 00000002 C3A9"),
        (.failed(.input, "no"), "09 00000003 00 6E6F"),
        (.pong(9), "0A 00000004 00000009"),
        (.note("hi"), "0B 00000002 6869"),
    ]

    static let orders: [(PhoneOrder, String)] = [
        (
            .encode(
                PhoneEncode(
                    encode: 1, codec: .h264, size: PixelSize(width: 720, height: 1600), name: "x",
                    settings: [
                        PhoneSetting("a", .int(-1)), PhoneSetting("b", .long(2)), PhoneSetting("c", .float(1)),
                    ])),
            "40 00000026 01 01 02D0 0640 0001 78 03 0001 61 00 FFFFFFFF 0001 62 01 0000000000000002 0001 63 02 3F800000"
        ),
        (.parameters(encode: 1, []), "41 00000002 01 00"), (.resurface(encode: 1), "42 00000001 01"),
        (.stop(encode: 1), "43 00000001 01"),
        (
            .touch(PhoneTouch(.pointerDown, index: 0, fingers: [.init(id: 4, x: 1, y: 2, pressure: 0.5)])),
            "44 00000010 05 00 01 04 3F800000 40000000 3F000000"
        ),
        (.key(PhoneKey(isDown: true, code: 29, modifiers: 1, repeats: 2)), "45 00000009 01 001D 00000001 0002"),
        (.text("a"), "46 00000001 61"),
        (.scroll(x: 1, y: 2, horizontal: 0, vertical: -1), "47 00000010 3F800000 40000000 00000000 BF800000"),
        (.setClipboard("a"), "48 00000001 61"), (.screen(isOn: false), "49 00000001 00"),
        (.startApp("a.b"), "4A 00000003 612E62"),
        (.newDisplay(PixelSize(width: 1, height: 2), density: 3), "4B 00000006 0001 0002 0003"),
        (.sound(isOn: true), "4C 00000001 01"), (.ping(1), "4D 00000004 00000001"),
        (.stayAwake(true), "4E 00000001 01"),
    ]

    @Test("reports are written as documented and read again") func goldenReports() throws {
        for (report, digits) in Self.reports { try check(report, digits) }
    }

    @Test("orders are written as documented and read again") func goldenOrders() throws {
        for (order, digits) in Self.orders { try check(order, digits) }
    }

    private func check<Message: PhoneMessage>(_ message: Message, _ digits: String) throws {
        #expect(message.serialised == hex(digits), "\(message)")
        var reader = PhoneReader<Message>(after: nil)
        reader.append(hex(digits))
        #expect(try reader.next() == message)
        #expect(try reader.next() == nil)
    }

    @Test("the same reports wherever the stream is cut") func everyCut() throws {
        let reports = Self.reports.map(\.0)
        let bytes = PhoneWire.answer(.video) + reports.flatMap(\.serialised)
        for cut in 0...bytes.count {
            var reader = PhoneReader<PhoneReport>(after: .video)
            var seen: [PhoneReport] = []
            for part in [bytes[..<cut], bytes[cut...]] {
                reader.append(Array(part))
                while let report = try reader.next() { seen.append(report) }
            }
            #expect(seen == reports, "cut at \(cut)")
        }
    }

    @Test(
        "hostile bytes end the connection",
        arguments: [
            ("00 00000000", PhoneWireError.unknownKind), ("3F 00000000", .unknownKind), ("06 00800001", .tooLong),
            ("0A 00000003 000001", .truncated), ("0A 00000005 0000000100", .trailingBytes),
            ("02 0000000B 0000 0960 01A4 01 00000007", .badValue),
            ("02 0000000B 0438 0960 01A4 04 00000007", .badValue),
            ("08 00000001 FF", .badValue), ("04 00000002 03 09", .badValue),
            ("07 00000009 0000000000000000 01", .badValue),
            ("01 00000006 0022 0000 FF 01", .badValue), ("06 0000000B 03 02 0000000000000102 00", .badValue),
        ])
    func hostile(digits: String, error: PhoneWireError) {
        var reader = PhoneReader<PhoneReport>(after: nil)
        reader.append(hex(digits))
        #expect(throws: error) { try reader.next() }
        reader.append(PhoneReport.pong(1).serialised)
        #expect(throws: error) { try reader.next() }
        #expect(reader.bufferedByteCount == 0)
    }

    @Test(
        "a greeting of another program, version or channel",
        arguments: [
            ("48475048 02 00", PhoneWireError.wrongVersion), ("48545450 01 00", .wrongMagic),
            ("48475048 01 01", .badValue),
        ])
    func greeting(digits: String, error: PhoneWireError) {
        var reader = PhoneReader<PhoneReport>(after: .control)
        reader.append(hex(digits))
        #expect(throws: error) { try reader.next() }
    }
}
