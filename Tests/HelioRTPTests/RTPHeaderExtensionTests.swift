import HelioCore
import HelioRTP
import Testing

struct RTPHeaderExtensionTests {
    typealias Element = RTPHeaderExtension.Element

    private static let fixed = "90 60 0001 00000000 00000001"

    private func elements(_ packet: [UInt8]) -> [Element]? {
        RTPHeader.parse(packet.span.bytes).map { RTPHeaderExtension.elements(of: $0, in: packet.span.bytes) }
    }

    @Test func oneByteForm() {
        let written = [Element(id: 1, data: hex("AA")), Element(id: 14, data: [UInt8](repeating: 7, count: 16))]
        var packet = hex(Self.fixed)
        RTPHeaderExtension.write(written, into: &packet)
        #expect(
            packet == hex(Self.fixed + "BEDE0005 10AA EF" + String(repeating: "07", count: 16) + "00"))
        #expect(elements(packet) == written)
    }

    /// An ID above 14, no data, or more than 16 bytes each require the two-byte form.
    @Test(arguments: [
        Element(id: 15, data: [1]), Element(id: 255, data: [1]), Element(id: 1, data: []),
        Element(id: 1, data: [UInt8](1...17)),
    ])
    func twoByteForm(element: Element) {
        var packet = hex(Self.fixed)
        RTPHeaderExtension.write([element, Element(id: 2, data: [9])], into: &packet)
        #expect(Array(packet[12..<14]) == hex("1000"))
        #expect(Array(packet[16..<18]) == [element.id, UInt8(element.data.count)])
        #expect(elements(packet) == [element, Element(id: 2, data: [9])])
    }

    static let data: [(String, [Element])] = [
        // Padding before, between and after the elements.
        ("BEDE0002 00 10AA 00 00 20BB 00", [Element(id: 1, data: [0xAA]), Element(id: 2, data: [0xBB])]),
        // ID 15 ends the elements.
        ("BEDE0002 10AA F0 00 20BB 0000", [Element(id: 1, data: [0xAA])]),
        // ID 0 with a length.
        ("BEDE0002 10AA 03 00 20BB 0000", [Element(id: 1, data: [0xAA])]),
        // An element longer than the extension, though not than the packet.
        ("BEDE0001 10AA 2F 00 0000000000000000 0000000000000000", [Element(id: 1, data: [0xAA])]),
        ("10000001 01 03 AABB CC", []),
        ("10000001 00 00 00 01", []),
        // Every value of the lower four bits is the two-byte form (RFC 8285 section 4.3).
        ("100F0001 01 01 AA 00", [Element(id: 1, data: [0xAA])]),
        // Another profile.
        ("12340001 10AA0000", []),
        ("BEDE0000", []),
    ]

    @Test(arguments: data)
    func readsUpToTheFault(data: String, expected: [Element]) {
        #expect(elements(hex(Self.fixed + data)) == expected)
    }

    @Test func findsByID() {
        let packet = hex(Self.fixed + "BEDE0002 10AA 21BBCC 000000")
        let header = RTPHeader.parse(packet.span.bytes)
        let found = (UInt8(0)...3).map { id in
            header.flatMap { RTPHeaderExtension.find(id: id, of: $0, in: packet.span.bytes) }
        }
        #expect(found == [nil, 17..<18, 19..<21, nil])
    }
}
