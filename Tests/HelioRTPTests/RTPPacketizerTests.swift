import HelioBitstream
import HelioCore
import HelioRTP
import HelioSimulation
import Testing

struct RTPPacketizerTests {
    private func payloads(_ codec: VideoCodec, size: Int = 1200, _ stream: String) -> [[UInt8]] {
        var packetizer = Packets.packetizer(codec, size: size)
        return Packets.make(hex(stream), with: &packetizer).map(\.payload)
    }

    /// Returns `count` bytes without a start code.
    private func body(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8($0 % 255 + 1) }
    }

    @Test func aNALUnitAlone() {
        #expect(payloads(.h264, "00000001 65 88 84 00") == [hex("658884")])
        #expect(payloads(.h265, "000001 28 01 AF") == [hex("2801AF")])
    }

    /// RFC 6184 section 5.7.1: the highest NRI of all units, and F if any has it.
    @Test func singleTimeAggregation() {
        #expect(
            payloads(.h264, "00000001 06 05 00000001 67 42 00000001 28 CE 00000001 65")
                == [hex("78 0002 0605 0002 6742 0002 28CE 0001 65")])
        #expect(payloads(.h264, "000001 06 05 000001 21 9A") == [hex("38 0002 0605 0002 219A")])
        #expect(payloads(.h264, "000001 86 05 000001 41 9A") == [hex("D8 0002 8605 0002 419A")])
    }

    /// RFC 7798 section 4.4.2: the lowest LayerId and TID of all units, and F if any has it.
    @Test func aggregationPacket() {
        #expect(
            payloads(.h265, "000001 40 01 0C 000001 42 01 01 000001 44 01 C1")
                == [hex("6001 0003 40010C 0003 420101 0003 4401C1")])
        // Layers 33 and 2, TIDs 3 and 2.
        #expect(payloads(.h265, "000001 03 0B AA 000001 02 12 BB") == [hex("6012 0003 030BAA 0003 0212BB")])
        #expect(payloads(.h265, "000001 03 0B AA 000001 83 0A BB") == [hex("E10A 0003 030BAA 0003 830ABB")])
    }

    /// FU-A fragments of RFC 6184 section 5.8.
    @Test func fragmentsOfH264() {
        let nal = [0x65] + body(100)
        var packetizer = Packets.packetizer(.h264, size: 64)
        let payloads = Packets.make(Packets.annexB([nal]), with: &packetizer).map(\.payload)
        let bytes = body(100)
        let expected: [[UInt8]] = [hex("7C85") + Array(bytes[..<50]), hex("7C45") + Array(bytes[50...])]
        #expect(payloads == expected)
    }

    /// RFC 7798 section 4.4.3: the type is in the fragmentation header; F, LayerId and TID stay.
    @Test func fragmentsOfH265() {
        let nal = hex("A7 0A") + body(120)
        var packetizer = Packets.packetizer(.h265, size: 64)
        let payloads = Packets.make(Packets.annexB([nal]), with: &packetizer).map(\.payload)
        let bytes = body(120)
        let expected: [[UInt8]] = [
            hex("E30A 93") + Array(bytes[..<49]), hex("E30A 13") + Array(bytes[49..<98]),
            hex("E30A 53") + Array(bytes[98...]),
        ]
        #expect(payloads == expected)
    }

    /// Sizes around the one that just fits; the frame's last packet has less room.
    @Test(arguments: VideoCodec.allCases, [nil, UInt8(5)])
    func cutsOnlyWhatDoesNotFit(codec: VideoCodec, timing: UInt8?) {
        let room = 100 - 12 - (timing == nil ? 0 : 20)
        for (count, packets) in [(room - 1, 1), (room, 1), (room + 1, 2)] {
            let header: [UInt8] = codec == .h264 ? [0x41] : [0x02, 0x01]
            let nal = header + body(count - header.count)
            var packetizer = Packets.packetizer(codec, size: 100, timing: timing)
            let made = Packets.make(Packets.annexB([nal]), with: &packetizer)
            #expect(made.count == packets, "\(count) bytes")
            #expect(made.allSatisfy { $0.bytes.count <= 100 })
        }
    }

    @Test func sharesNoMoreThanFits() {
        // A STAP-A has 1 + 2 + 40 + 2 + 42 = 87 bytes, with the RTP header 99.
        let fits = [[0x41] + body(39), [0x41] + body(41)]
        var packetizer = Packets.packetizer(.h264, size: 99)
        #expect(Packets.make(Packets.annexB(fits), with: &packetizer).map(\.bytes.count) == [99])
        packetizer = Packets.packetizer(.h264, size: 98)
        #expect(Packets.make(Packets.annexB(fits), with: &packetizer).map(\.bytes.count) == [52, 54])
    }

    @Test func marksTheLastPacketOfTheLastSlice() {
        var packetizer = Packets.packetizer(.h264, size: 100, timing: 3)
        let slice = Packets.annexB([[0x65] + body(300)])
        let first = Packets.make(slice, with: &packetizer, isLast: false)
        let last = Packets.make(slice, with: &packetizer, isLast: true)
        #expect(first.allSatisfy { $0.header?.marker == false && $0.headerLength == 12 })
        #expect(last.map { $0.header?.marker } == [false, false, false, true])
        #expect(last.map(\.headerLength) == [12, 12, 12, 32])
        #expect(last.allSatisfy { $0.header?.length == $0.headerLength })
        #expect((first + last).allSatisfy { $0.header?.timestamp == 90000 && $0.header?.ssrc == SSRC(0xCAFE) })
        #expect((first + last).allSatisfy { $0.header?.payloadType == PayloadType(96) })
    }

    @Test(arguments: [10, 300])
    func theLastPacketTellsTheTimes(size: Int) throws {
        var packetizer = Packets.packetizer(.h264, size: 100, timing: 3)
        let packet = try #require(Packets.make(Packets.annexB([[0x65] + body(size)]), with: &packetizer).last)
        let header = try #require(packet.header)
        let bytes = packet.bytes
        let found = RTPHeaderExtension.find(id: 3, of: header, in: bytes.span.bytes)
        let data = try #require(found)
        let expected = FrameTimingExtension(timing: Packets.timing, sent: Packets.sent)
        #expect(FrameTimingExtension.parse(bytes.span.bytes.extracting(data)) == expected)
    }

    /// Row 9: the 16-bit sequence number wraps, the extended one continues.
    @Test(arguments: [UInt64(0), 0xFFFD, 0xFFFF, 0x1_FFFE, 0x7FFF_FFFF])
    func numbersGoUpByOne(first: UInt64) {
        var packetizer = Packets.packetizer(.h264, size: 64, first: first)
        let slice = Packets.annexB([[0x65] + body(400)])
        let packets = Packets.make(slice, with: &packetizer) + Packets.make(slice, with: &packetizer)
        #expect(packets.map(\.sequence.rawValue) == (0..<UInt64(packets.count)).map { first + $0 })
        #expect(packets.map(\.header?.sequence) == packets.map { UInt16(truncatingIfNeeded: $0.sequence.rawValue) })
        #expect(packetizer.nextSequence.rawValue == first + UInt64(packets.count))
    }

    @Test(arguments: [
        ("", VideoCodec.h264), ("658884", .h264), ("000001 00 01", .h264), ("000001 78 01", .h264),
        ("000001 7C 85", .h264), ("000001 28", .h265), ("000001 60 01", .h265), ("000001 62 01 01", .h265),
    ])
    func leavesOutWhatCannotBeCarried(stream: String, codec: VideoCodec) {
        #expect(payloads(codec, stream) == [])
    }

    @Test func marksTheLastThatCanBeCarried() {
        var packetizer = Packets.packetizer(.h265)
        let packets = Packets.make(hex("000001 28 01 AF 000001 28"), with: &packetizer)
        #expect(packets.map(\.header?.marker) == [true])
    }
}
