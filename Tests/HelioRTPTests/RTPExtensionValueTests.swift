import HelioCore
import HelioRTP
import Testing

struct RTPExtensionValueTests {
    private func check<Value: RTPExtensionValue>(_ value: Value, _ digits: String) {
        #expect(value.element(id: 3) == RTPHeaderExtension.Element(id: 3, data: hex(digits)))
        #expect(Value(data: hex(digits).span.bytes) == value)
    }

    /// Values written by hand from each extension's diagram.
    @Test func golden() {
        check(MediaIDExtension("video0"), "766964656F30")
        check(RestrictionIDExtension("hi"), "6869")
        check(AbsoluteSendTime(ticks: 0x123456), "123456")
        check(TransportSequence(0xABCD), "ABCD")
        check(PlayoutDelay.none, "000000")
        check(PlayoutDelay(minimum: 0x123, maximum: 0xFFF), "123FFF")
        check(VideoOrientation(quarterTurns: 3, isFlipped: true, isBackCamera: true), "0F")
        check(VideoOrientation(quarterTurns: 1), "01")
        check(AudioLevel(attenuation: 127, isVoice: false), "7F")
        check(AudioLevel(attenuation: 5, isVoice: true), "85")
        check(RepairExtension(since: 0xFEDC_BA98), "FEDCBA98")
    }

    @Test func otherLengthsAreRefused() {
        func refused<Value: RTPExtensionValue>(_ kind: Value.Type, _ data: [String]) {
            for digits in data { #expect(Value(data: hex(digits).span.bytes) == nil, "\(kind) \(digits)") }
        }
        refused(MediaIDExtension.self, ["", "00", "6120", "61FF", String(repeating: "61", count: 256)])
        refused(RestrictionIDExtension.self, ["", "7F"])
        refused(AbsoluteSendTime.self, ["", "1234", "12345678"])
        refused(TransportSequence.self, ["", "AB", "ABCDEF", "ABCDEF0123"])
        // Wrong lengths, and a minimum above the maximum.
        refused(PlayoutDelay.self, ["", "0000", "00000000", "001000"])
        refused(VideoOrientation.self, ["", "0000"])
        refused(AudioLevel.self, ["", "0000"])
        refused(RepairExtension.self, ["", "FEDCBA", "FEDCBA9800"])
    }

    @Test func secondVersionsAreRead() {
        #expect(TransportSequence(data: hex("ABCD0001").span.bytes) == TransportSequence(0xABCD))
        #expect(VideoOrientation(data: hex("F1").span.bytes) == VideoOrientation(quarterTurns: 1))
    }

    @Test func sendTimeWrapsAfter64Seconds() {
        #expect(AbsoluteSendTime(.zero).ticks == 0)
        #expect(AbsoluteSendTime(.zero + .seconds(1)).ticks == 0x4_0000)
        #expect(AbsoluteSendTime(.zero + .milliseconds(63_999)).ticks == 0xFF_FEF9)
        #expect(AbsoluteSendTime(.zero + .seconds(64)).ticks == 0)
        #expect(AbsoluteSendTime(.zero - .seconds(1)).ticks == 0xFC_0000)
        let late = AbsoluteSendTime(.zero + .milliseconds(63_500))
        let early = AbsoluteSendTime(.zero + .milliseconds(64_500))
        #expect(early.since(late) == .seconds(1))
        #expect(late.since(early) == .seconds(-1))
    }

    @Test func valuesStayInTheirBits() {
        #expect(PlayoutDelay(minimum: 5000, maximum: 9000) == PlayoutDelay(minimum: 4095, maximum: 4095))
        #expect(AudioLevel(attenuation: 200, isVoice: false).attenuation == 127)
        #expect(VideoOrientation(quarterTurns: 6).quarterTurns == 2)
    }

    @Test func aPacketIsAskedByNumber() throws {
        var packet = hex("90 60 0001 00000000 00000001")
        RTPHeaderExtension.write(
            [MediaIDExtension("0").element(id: 4), TransportSequence(7).element(id: 5)], into: &packet)
        let parsed = RTPHeader.parse(packet.span.bytes)
        let header = try #require(parsed)
        #expect(TransportSequence(id: 5, of: header, in: packet.span.bytes)?.number == 7)
        #expect(MediaIDExtension(id: 4, of: header, in: packet.span.bytes)?.name == "0")
        #expect(TransportSequence(id: 4, of: header, in: packet.span.bytes) == nil)
        #expect(AudioLevel(id: 9, of: header, in: packet.span.bytes) == nil)
    }
}
