import HelioCore
import HelioRTP
import Testing

struct RetransmissionTests {
    /// Marker, a contributing source and an extension, sequence number 0x1234.
    private static let original = hex("91 E0 1234 00000005 AAAAAAAA 00000009 BEDE0001 10AA0000 01020304")
    private static let wrapped = hex("91 E1 0007 00000005 BBBBBBBB 00000009 BEDE0001 10AA0000 1234 01020304")

    private func unwrap(_ packet: [UInt8]) -> [UInt8]? {
        Retransmission.unwrap(packet.span.bytes, ssrc: SSRC(0xAAAA_AAAA), payloadType: PayloadType(96))
    }

    @Test func goesInAndOut() {
        let wrapped = Retransmission.wrap(
            Self.original.span.bytes, ssrc: SSRC(0xBBBB_BBBB), payloadType: PayloadType(97), sequence: 7, reserve: 16)
        #expect(wrapped == Self.wrapped)
        #expect((wrapped?.capacity ?? 0) >= Self.wrapped.count + 16)
        #expect(unwrap(Self.wrapped) == Self.original)
    }

    @Test func paddingIsLeftBehind() {
        let padded = hex("A0 61 0007 00000005 BBBBBBBB 1234 0102 0002")
        #expect(unwrap(padded) == hex("80 60 1234 00000005 AAAAAAAA 0102"))
        // It goes out as it is: the header still says so.
        let plain = hex("A0 60 1234 00000005 AAAAAAAA 0102 0002")
        let out = Retransmission.wrap(
            plain.span.bytes, ssrc: SSRC(0xBBBB_BBBB), payloadType: PayloadType(97), sequence: 7)
        #expect(out == padded)
    }

    @Test(arguments: [
        "", "80 61 0007", "80 61 0007 00000005 BBBBBBBB", "80 61 0007 00000005 BBBBBBBB 12",
        // Nothing but padding, as a probe of the path; padding that leaves half a number; more padding than packet.
        "A0 61 0007 00000005 BBBBBBBB 00000004", "A0 61 0007 00000005 BBBBBBBB 12000003",
        "A0 61 0007 00000005 BBBBBBBB 00000009",
    ])
    func holdsNothing(packet: String) {
        #expect(unwrap(hex(packet)) == nil)
    }

    @Test func anEmptyPayloadIsOneToo() {
        #expect(unwrap(hex("80 61 0007 00000005 BBBBBBBB 1234")) == hex("80 60 1234 00000005 AAAAAAAA"))
    }

    @Test func whatIsNoPacketIsNotSentAgain() {
        for packet in ["", "00 61 0007 00000005 BBBBBBBB", "A0 60 1234 00000005 AAAAAAAA 09"] {
            let bytes = hex(packet)
            #expect(
                Retransmission.wrap(bytes.span.bytes, ssrc: SSRC(1), payloadType: PayloadType(97), sequence: 7) == nil)
        }
    }
}
