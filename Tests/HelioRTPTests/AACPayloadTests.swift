import HelioCore
import HelioRTP
import Testing

struct AACPayloadTests {
    private func parse(
        _ bytes: [UInt8], _ widths: AACPayload.Widths = .highBitrate
    ) throws(AACPayload.Malformation) -> AACPayload {
        try AACPayload(bytes.span.bytes, widths: widths)
    }

    private func take(
        _ bytes: [UInt8], _ depacketizer: inout AACDepacketizer, timestamp: UInt32, marker: Bool
    ) throws(AACPayload.Malformation) -> [[UInt8]] {
        try depacketizer.take(bytes.span.bytes, timestamp: timestamp, marker: marker)
    }

    /// The first access unit of `audiotestsrc num-buffers=12 samplesperbuffer=1024 volume=0.01 !
    /// audio/x-raw,rate=8000,channels=1 ! avenc_aac bitrate=8000 ! rtpmp4gpay mtu=200` (GStreamer 1.22.0), 231 bytes in
    /// two packets.
    static let fragments = [
        "00100738de02004c61766335392e33372e3130300002146551905032d38ccb7f5a7cfde492e48912244892206cd5b356cd71"
            + "589c562715899e9d9e9d9e9d6cd5b359291b3596cd65b35971589ceb39ceb390909090909091229234a88a4fdb682265a452"
            + "08be5f2f97cbe5f2f97cb9a7e69e79f9a79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e7"
            + "9e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79",
        "00100738e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e79e7"
            + "e0",
    ]
    /// The tenth access unit, in one packet.
    static let whole =
        "001002d000d42880a41b251086eb5afffcffffe5b9cc09e79d0a24289454a131d47347665d753e8aa2356abb7a060b0aa0c4"
        + "37a7e8c4d5632d960cf9d779ef5cc776cd736b6dba86a495325185185185185185753cf3cf3cf3cf3cf3cfc0"

    @Test func putsFragmentsTogether() throws {
        var depacketizer = AACDepacketizer()
        let parts = Self.fragments.map { hex($0) }
        let early = try take(parts[0], &depacketizer, timestamp: 5, marker: false)
        #expect(early.isEmpty)
        let units = try take(parts[1], &depacketizer, timestamp: 5, marker: true)
        #expect(units == [Array(parts[0][4...]) + Array(parts[1][4...])])
        #expect(units[0].count == 231)
        #expect(AACPayload.write(units[0], limit: 188) == parts)
    }

    @Test func wholeUnits() throws {
        let payload = hex(Self.whole)
        let unit = Array(payload[4...])
        #expect(try parse(payload).units == [4..<payload.count])
        #expect(AACPayload.write([unit]) == payload)
        #expect(AACPayload.write(unit, limit: 1200) == [payload])
    }

    /// Several access units in a packet, as FFmpeg sends them.
    @Test func severalUnits() throws {
        let units = [[1], [2, 2], [3, 3, 3]] as [[UInt8]]
        let payload = try #require(AACPayload.write(units))
        #expect(payload == hex("0030 0008 0010 0018 01 0202 030303"))
        var depacketizer = AACDepacketizer()
        let read = try take(payload, &depacketizer, timestamp: 0, marker: true)
        #expect(read == units)
        #expect(AACPayload.overhead(units: 3) == 8)
    }

    @Test func lowBitrate() throws {
        // Sizes of 6 bits, indices of 2: 000011 00, 000001 00.
        #expect(try parse(hex("0010 0C 04 AAAAAA BB"), .lowBitrate).units == [4..<7, 7..<8])
        let bare = try #require(AACPayload.Widths(size: 16, index: 0, indexDelta: 0))
        #expect(try parse(hex("0010 0002 AAAA"), bare).units == [4..<6])
        #expect(bare.maximumUnit == 65535)
    }

    @Test(arguments: [(0, 3, 3), (17, 3, 3), (13, -1, 3), (13, 9, 3), (13, 3, 9), (.max, 0, 0)])
    func widthsThatNoHeaderHas(size: Int, index: Int, delta: Int) {
        #expect(AACPayload.Widths(size: size, index: index, indexDelta: delta) == nil)
    }

    static let hostile: [(String, String, AACPayload.Malformation)] = [
        ("nothing", "", .truncated), ("half a length", "00", .truncated), ("no headers", "0000", .truncated),
        ("headers of no bits, then data", "0000 AA", .truncated), ("headers past the end", "0010 00", .truncated),
        ("headers of 8 KiB", "FFFF 0008 AA", .truncated), ("no data", "0010 0008", .truncated),
        ("a unit of no bytes", "0010 0000 AA", .truncated),
        ("the second of no bytes", "0020 0008 0000 AA", .truncated),
        ("the second past the end", "0020 0008 0010 AA AA", .truncated),
        ("a part beside another unit", "0020 0028 0008 AA AA", .truncated),
        ("the first not the first", "0010 0009 AA", .interleaved),
        ("a gap between units", "0020 0008 000A AA AA", .interleaved),
        ("headers of 15 bits", "000F 0008 AA", .truncated),
        (
            "65 units", "0410" + String(repeating: "0008", count: 65) + String(repeating: "AA", count: 65), .truncated
        ),
    ]

    @Test(arguments: hostile)
    func refused(name: String, text: String, why: AACPayload.Malformation) {
        #expect(throws: why) { try parse(hex(text)) }
    }

    @Test func bytesLeftOverCountForNothing() throws {
        #expect(try parse(hex("0010 0008 AA BB")).units == [4..<5])
        #expect(try parse(hex("0014 0008 00 AA")).units == [5..<6])
    }

    /// The timestamp, marker and payload of each packet, with the number of units that result.
    static let losses: [(String, [(UInt32, Bool, String, Int?)])] = [
        ("the first part is lost", [(1, true, "0010 0018 AA", nil), (2, true, "0010 0008 BB", 1)]),
        ("the last is lost", [(1, false, "0010 0018 AA", 0), (2, true, "0010 0008 BB", 1)]),
        ("the last, and the next one's first", [(1, false, "0010 0018 AAAA", 0), (2, true, "0010 0018 BB", nil)]),
        ("more than the whole", [(1, false, "0010 0018 AAAA", 0), (1, true, "0010 0018 BBBB", nil)]),
        ("another whole", [(1, false, "0010 0018 AAAA", 0), (1, true, "0010 0020 BB", nil)]),
        ("junk between", [(1, false, "0010 0018 AAAA", 0), (1, false, "00", nil), (1, true, "0010 0018 BB", nil)]),
        ("no marker", [(1, false, "0010 0018 AAAA", 0), (1, false, "0010 0018 BB", 1)]),
    ]

    @Test(arguments: losses)
    func partsThatDoNotFit(name: String, packets: [(UInt32, Bool, String, Int?)]) {
        var depacketizer = AACDepacketizer()
        for (timestamp, marker, text, expected) in packets {
            let units = try? take(hex(text), &depacketizer, timestamp: timestamp, marker: marker)
            #expect(units?.count == expected)
        }
    }

    /// The beginning of an element of `audiotestsrc ! audio/x-raw,rate=44100,channels=2 ! avenc_aac bitrate=32000 !
    /// rtpmp4apay` (GStreamer 1.22.0), with its own length, and with lengths around multiples of 255.
    @Test(arguments: [1, 72, 254, 255, 256, 509, 510, 511, 3000])
    func elementsOfLATM(size: Int) throws {
        let unit = [UInt8](repeating: 0x21, count: size)
        let element = LATMPayload.element(unit)
        #expect(element.count == size + size / 255 + 1)
        if size == 72 { #expect(Array(element.prefix(3)) == hex("48 21 21")) }
        var depacketizer = AACDepacketizer(subframes: 1)
        let whole = try take(element, &depacketizer, timestamp: 0, marker: true)
        #expect(whole == [unit])
        var units: [[UInt8]] = []
        for start in stride(from: 0, to: element.count, by: 100) {
            let end = min(start + 100, element.count)
            units += try take(
                Array(element[start..<end]), &depacketizer, timestamp: 5, marker: end == element.count)
        }
        #expect(units == [unit])
    }

    @Test func elementsOfSeveralUnits() throws {
        var depacketizer = AACDepacketizer(subframes: 2)
        let units = try take(hex("01 AA 02 BBBB"), &depacketizer, timestamp: 0, marker: true)
        #expect(units == [[0xAA], [0xBB, 0xBB]])
    }

    @Test(arguments: [
        ("nothing", ""), ("a length without end", "FF FF FF"), ("past the end", "03 AA AA"), ("of no bytes", "00 AA"),
        ("bytes left over", "01 AA AA"),
        ("one of two", "01 AA"),
    ])
    func refusedElement(name: String, text: String) {
        var depacketizer = AACDepacketizer(subframes: name == "one of two" ? 2 : 1)
        #expect(throws: AACPayload.Malformation.truncated) {
            _ = try take(hex(text), &depacketizer, timestamp: 1, marker: true)
        }
    }

    /// An element without an end is discarded.
    @Test func anElementWithoutEnd() {
        var depacketizer = AACDepacketizer(subframes: 1)
        let part = [UInt8](repeating: 255, count: 1000)
        var refused = 0
        for _ in 0..<100 {
            if (try? take(part, &depacketizer, timestamp: 1, marker: false)) == nil { refused += 1 }
        }
        #expect(refused == 1)
    }

    @Test func whatIsMissingIsForgotten() {
        var depacketizer = AACDepacketizer()
        _ = try? take(hex("0010 0018 AAAA"), &depacketizer, timestamp: 1, marker: false)
        depacketizer.reset()
        #expect(throws: AACPayload.Malformation.fragmentWithoutStart) {
            _ = try take(hex("0010 0018 BB"), &depacketizer, timestamp: 1, marker: true)
        }
    }

    @Test func whatIsNoUnitIsNotWritten() {
        #expect(AACPayload.write([]) == nil)
        #expect(AACPayload.write([[]]) == nil)
        #expect(AACPayload.write([[UInt8](repeating: 0, count: 8192)]) == nil)
        #expect(AACPayload.write([[UInt8]](repeating: [1], count: 65)) == nil)
        #expect(AACPayload.write([], limit: 1200) == nil)
        #expect(AACPayload.write([UInt8](repeating: 0, count: 8191), limit: 0)?.count == 8191)
    }
}
