import HelioCore
import HelioRTP
import Testing

struct RTCPPacketTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var packet: RTCPPacket
        var bytes: String
    }

    private static let block = ReportBlock(
        ssrc: SSRC(0x1111_1111), fractionLost: 0x40, cumulativeLost: -2, highestSequence: 0x0001_FFFF, jitter: 9,
        lastSenderReport: 0xAABB_CCDD, delaySinceLastSenderReport: 0x0001_8000)
    private static let blockBytes = "11111111 40FFFFFE 0001FFFF 00000009 AABBCCDD 00018000"

    static let golden = [
        Golden(
            testDescription: "sender report",
            packet: .senderReport(
                SenderReport(
                    ssrc: SSRC(1), ntpTime: 0x0102_0304_0506_0708, rtpTimestamp: 90000, packetCount: 3,
                    octetCount: 4000, reports: [block])),
            bytes: "81C8000C 00000001 0102030405060708 00015F90 00000003 00000FA0" + blockBytes),
        Golden(
            testDescription: "receiver report",
            packet: .receiverReport(ReceiverReport(ssrc: SSRC(2), reports: [block, block])),
            bytes: "82C9000D 00000002" + blockBytes + blockBytes),
        Golden(
            testDescription: "empty receiver report", packet: .receiverReport(ReceiverReport(ssrc: SSRC(2))),
            bytes: "80C90001 00000002"),
        // An item that fills its word is followed by a whole word of zeros; otherwise a single zero ends the items.
        Golden(
            testDescription: "names",
            packet: .sourceDescription([
                SourceDescription(ssrc: SSRC(3), cname: "ab"), SourceDescription(ssrc: SSRC(4), cname: "c"),
            ]),
            bytes: "82CA0005 00000003 01026162 00000000 00000004 01016300"),
        // RFC 9143 section 15.2: SDES item 15 (MID).
        Golden(
            testDescription: "names of sections",
            packet: .sourceDescription([SourceDescription(ssrc: SSRC(3), cname: "a", mid: "0")]),
            bytes: "81CA0003 00000003 010161 0F0130 0000"),
        Golden(
            testDescription: "application-defined",
            packet: .applicationDefined(
                .init(sender: SSRC(5), subtype: 3, name: 0x4142_4344, data: [1, 2, 3, 4])),
            bytes: "83CC0003 00000005 41424344 01020304"),
        .init(
            testDescription: "goodbye", packet: .goodbye([SSRC(5), SSRC(6)]), bytes: "82CB0002 00000005 00000006"),
        Golden(
            testDescription: "NACK",
            packet: .genericNACK(GenericNACK(sender: SSRC(7), media: SSRC(8), lost: [65534, 65535, 14, 15])),
            bytes: "81CD0004 00000007 00000008 FFFE8001 000F0000"),
        Golden(
            testDescription: "extended report: a reference time, and two answers to others'",
            packet: .extendedReport(
                ExtendedReport(
                    sender: SSRC(7), referenceTime: 0x0102_0304_0506_0708,
                    answers: [
                        .init(ssrc: SSRC(8), lastReferenceTime: 0xAABB_CCDD, delay: 0x8000),
                        .init(ssrc: SSRC(9), lastReferenceTime: 1, delay: 2),
                    ])),
            bytes: "80CF000B 00000007 04000002 0102030405060708"
                + "05000006 00000008 AABBCCDD 00008000 00000009 00000001 00000002"),
        Golden(
            testDescription: "picture loss",
            packet: .pictureLoss(PictureLossIndication(sender: SSRC(9), media: SSRC(10))),
            bytes: "81CE0002 00000009 0000000A"),
        // RFC 4585 section 6.3.3.2: 16 bits of padding, payload type 96, a bit string of 32 bits; and one without
        // padding.
        Golden(
            testDescription: "reference picture selection",
            packet: .referenceSelection(
                ReferencePictureSelection(
                    sender: SSRC(9), media: SSRC(10), payloadType: PayloadType(96), timestamp: 0xFFFE_FDFC)),
            bytes: "83CE0004 00000009 0000000A 1060FFFE FDFC0000"),
        Golden(
            testDescription: "reference picture selection that fills its words",
            packet: .referenceSelection(
                ReferencePictureSelection(
                    sender: SSRC(9), media: SSRC(10), payloadType: PayloadType(97), picture: [1, 2])),
            bytes: "83CE0003 00000009 0000000A 00610102"),
        Golden(
            testDescription: "full intra request",
            packet: .fullIntraRequest(
                FullIntraRequest(sender: SSRC(11), entries: [.init(ssrc: SSRC(12), sequence: 200)])),
            bytes: "84CE0004 0000000B 00000000 0000000C C8000000"),
        // 2 500 000 = 156 250 << 4
        Golden(
            testDescription: "REMB",
            packet: .receiverEstimatedBitrate(
                ReceiverEstimatedBitrate(
                    sender: SSRC(13), bitrate: Bitrate(bitsPerSecond: 2_500_000), streams: [SSRC(14)])),
            bytes: "8FCE0005 0000000D 00000000 52454D42 01 12625A 0000000E"),
    ]

    private func parse(_ bytes: [UInt8]) -> [RTCPPacket]? {
        RTCPPacket.parseCompound(bytes.span.bytes)
    }

    @Test(arguments: golden)
    func readsAndWrites(_ golden: Golden) {
        var written: [UInt8] = []
        golden.packet.write(into: &written)
        #expect(written == hex(golden.bytes))
        #expect(parse(hex(golden.bytes)) == [golden.packet])
        #expect(RTCPPacket.isRTCP(written.span.bytes) == true)
    }

    @Test func readsACompoundInOrder() {
        var written: [UInt8] = []
        for golden in Self.golden { golden.packet.write(into: &written) }
        #expect(parse(written) == Self.golden.map(\.packet))
    }

    @Test(arguments: golden)
    func refusesWhatIsCutOff(_ golden: Golden) {
        let bytes = hex(golden.bytes)
        for count in 0..<bytes.count {
            #expect(parse(Array(bytes[..<count])) == nil, "\(count) bytes")
        }
    }

    @Test(arguments: [
        // Feedback of another format, an AFB that is not REMB, and an unknown packet type.
        "8ECD0003 00000001 00000002 00000003", "82CE0002 00000001 00000002",
        "8FCE0003 00000001 00000000 41424344", "80D00000",
        // An RPSI whose bit string has 12 bits.
        "83CE0003 00000001 00000002 04600102",
    ])
    func leavesOutWhatItDoesNotKnow(packet: String) {
        #expect(parse(hex(packet)) == [])
        #expect(parse(hex(packet + "80C90001 00000002")) == [.receiverReport(ReceiverReport(ssrc: SSRC(2)))])
    }

    @Test func passesOverOtherItemsAndReasons() {
        let bytes = hex("81CA0003 00000003 02015A 010161 0000" + "81CB0003 00000005 03627965 00000000")
        #expect(
            parse(bytes) == [.sourceDescription([SourceDescription(ssrc: SSRC(3), cname: "a")]), .goodbye([SSRC(5)])])
    }

    @Test(
        "of an extended report, blocks of other kinds are passed over, and one too long or of a wrong size is refused")
    func extendedReports() {
        let empty = ExtendedReport(sender: SSRC(7))
        #expect(parse(hex("80CF0001 00000007")) == [.extendedReport(empty)])
        // A statistics summary block (RFC 3611 section 4.6) before the reference time.
        let other = hex("80CF0006 00000007 06E00001 00000008 04000002 0102030405060708")
        #expect(
            parse(other) == [.extendedReport(ExtendedReport(sender: SSRC(7), referenceTime: 0x0102_0304_0506_0708))])
        for bad in [
            // A block past the end, half a word, a reference time of one word, two thirds of a DLRR.
            "80CF0002 00000007 06E00001", "80CF0003 00000007 04000001 01020304",
            "80CF0004 00000007 05000002 00000008 AABBCCDD", "80CF0002 00000007 0500FFFF",
        ] {
            #expect(parse(hex(bad)) == nil, "\(bad)")
        }
        func answers(_ count: Int) -> [UInt8] {
            var bytes = hex("80CF0000 00000007 05000000") + [UInt8](repeating: 0, count: count * 12)
            bytes.set(bigEndian: UInt16(2 + count * 3), at: 2)
            bytes.set(bigEndian: UInt16(count * 3), at: 10)
            return bytes
        }
        #expect(parse(answers(31)) != nil && parse(answers(32)) == nil)
    }

    @Test func readsPaddingOfTheLastPacketOnly() {
        #expect(parse(hex("A0C90002 00000002 00000004")) == [.receiverReport(ReceiverReport(ssrc: SSRC(2)))])
        #expect(parse(hex("A0C90002 00000002 00000004 80C90001 00000002")) == nil)
    }

    @Test(arguments: [
        "", "80C9",
        // Another version, a length past the end, bytes after the end.
        "40C90001 00000002", "00C90001 00000002", "80C90002 00000002", "80C90001 00000002 00",
        "80C9FFFF 00000002",
        // Padding of zero, of half a word, longer than the packet, of a packet without a body.
        "A0C90002 00000002 00000000", "A0C90002 00000002 00000003", "A0C90002 00000002 00000010", "A0C90000",
        // A count without its blocks, sources or chunks.
        "81C90001 00000002", "9FC80006 00000001 0000000000000000 00000000 00000000 00000000", "82CB0001 00000005",
        "81CA0000",
        // SDES items without an end, past the end, or with invalid UTF-8.
        "81CA0002 00000003 01026162", "81CA0002 00000003 01FF6162", "81CA0002 00000003 0101FF00",
        "81CA0002 00000003 0F01FF00",
        // Feedback without its entries.
        "81CD0002 00000007 00000008", "84CE0002 0000000B 00000000", "84CE0003 0000000B 00000000 0000000C",
        "81CE0001 00000009",
        // RPSI: no bit string, an empty one, more padding than a word, or than the packet has, a string of more than 64
        // bytes.
        "83CE0002 00000009 0000000A", "83CE0003 00000009 0000000A 10600000", "83CE0003 00000009 0000000A 20600102",
        "83CE0004 00000009 0000000A 2060FFFE FDFC0000", "83CE0003 00000009 0000000A 18600102",
        "83CE0013 00000009 0000000A 0060" + String(repeating: "00", count: 66),
        // REMB: a missing SSRC, a bitrate of more than 63 bits.
        "8FCE0004 0000000D 00000000 52454D42 01 12625A", "8FCE0004 0000000D 00000000 52454D42 00 FFFFFF",
    ])
    func refusesHostilePackets(packet: String) {
        #expect(parse(hex(packet)) == nil)
    }

    @Test func boundsWhatItReads() {
        let report = hex("80C90001 00000002")
        #expect(parse(Array(repeatElement(report, count: 64).joined()))?.count == 64)
        #expect(parse(Array(repeatElement(report, count: 65).joined())) == nil)
        let nack = { (entries: Int) -> [UInt8] in
            var bytes = hex("81CD0000 00000007 00000008") + [UInt8](repeating: 0, count: entries * 4)
            bytes.set(bigEndian: UInt16(2 + entries), at: 2)
            return bytes
        }
        #expect(parse(nack(256))?.count == 1)
        #expect(parse(nack(257)) == nil)
        let request = { (entries: Int) -> [UInt8] in
            var bytes = hex("84CE0000 00000007 00000000") + [UInt8](repeating: 0, count: entries * 8)
            bytes.set(bigEndian: UInt16(2 + entries * 2), at: 2)
            return bytes
        }
        #expect(parse(request(32))?.count == 1)
        #expect(parse(request(33)) == nil)
    }

    @Test(arguments: [0, 1, 0x3FFFF, 0x40000, 0x7FFFF, 30_000_000, 1 << 40, Int.max])
    func estimateKeeps18Bits(bitsPerSecond: Int) throws {
        var written: [UInt8] = []
        let estimate = ReceiverEstimatedBitrate(
            sender: SSRC(1), bitrate: Bitrate(bitsPerSecond: bitsPerSecond), streams: [])
        RTCPPacket.receiverEstimatedBitrate(estimate).write(into: &written)
        guard case .receiverEstimatedBitrate(let read) = try #require(parse(written)?.first) else {
            Issue.record("not an estimate")
            return
        }
        let dropped = max(0, Int.bitWidth - bitsPerSecond.leadingZeroBitCount - 18)
        #expect(read.bitrate.bitsPerSecond == (bitsPerSecond >> dropped) << dropped)
    }

    /// RFC 5761: RTP payload types 64 to 95 are not used, with or without the marker.
    @Test(arguments: [
        ("80E0", false), ("8060", false), ("80C8", true), ("81CE", true), ("80BF", false), ("80", false), ("", false),
    ])
    func tellsRTCPFromRTP(start: String, isRTCP: Bool) {
        let bytes = hex(start)
        #expect(RTCPPacket.isRTCP(bytes.span.bytes) == isRTCP)
    }
}
