import HelioCore
import HelioRTP
import Testing

struct RetransmissionTests {
    /// An RTX header with marker, a contributing source and an extension; 0x1234 is the packet's original sequence
    /// number.
    private static let header = "91 E1 0007 00000005 BBBBBBBB 00000009 BEDE0001 10AA0000"

    private func split(_ packet: [UInt8]) -> (original: UInt16, payload: [UInt8])? {
        guard let header = RTPHeader.parse(packet.span.bytes), let payload = header.payload(in: packet.span.bytes),
            let found = Retransmission.split(payload, of: packet.span.bytes)
        else { return nil }
        return (found.original, Array(packet[found.payload]))
    }

    @Test func goesInAndOut() throws {
        var packet = hex(Self.header)
        Retransmission.append(original: 0x1234, to: &packet)
        packet += [1, 2, 3, 4]
        #expect(packet == hex(Self.header + " 1234 01020304"))
        let found = try #require(split(packet))
        #expect(found.original == 0x1234 && found.payload == [1, 2, 3, 4])
    }

    @Test func paddingIsLeftBehind() throws {
        let found = try #require(split(hex("A0 61 0007 00000005 BBBBBBBB 1234 0102 0002")))
        #expect(found.original == 0x1234 && found.payload == [1, 2])
    }

    @Test(arguments: [
        "", "80 61 0007", "80 61 0007 00000005 BBBBBBBB", "80 61 0007 00000005 BBBBBBBB 12",
        // Only padding, as in a path probe; padding that leaves half a sequence number; more padding than the packet
        // has.
        "A0 61 0007 00000005 BBBBBBBB 00000004", "A0 61 0007 00000005 BBBBBBBB 12000003",
        "A0 61 0007 00000005 BBBBBBBB 00000009",
    ])
    func holdsNothing(packet: String) {
        #expect(split(hex(packet)) == nil)
    }

    @Test func anEmptyPayloadIsOneToo() throws {
        let found = try #require(split(hex("80 61 0007 00000005 BBBBBBBB 1234")))
        #expect(found.original == 0x1234 && found.payload.isEmpty)
    }
}
