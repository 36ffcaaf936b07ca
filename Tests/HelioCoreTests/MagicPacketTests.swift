import HelioCore
import Testing

@Suite("Hardware addresses, and the packets that wake machines")
struct MagicPacketTests {
    @Test("an address comes back from its text, in either case")
    func addresses() throws {
        let address = try #require(HardwareAddress([0x52, 0x54, 0, 0x1A, 0xFF, 0x09]))
        #expect("\(address)" == "52:54:00:1a:ff:09")
        #expect(HardwareAddress("52:54:00:1a:ff:09") == address)
        #expect(HardwareAddress("52:54:00:1A:FF:09") == address)
    }

    @Test(
        "what is no address of one interface is none",
        arguments: [
            "", ":", "52:54:00:1a:ff", "52:54:00:1a:ff:09:00", "52:54:00:1a:ff:9", "52:54:00:1a:f:009",
            "52-54-00-1a-ff-09", "5254001aff09", " 52:54:00:1a:ff:09", "g2:54:00:1a:ff:09", "é2:54:00:1a:ff:09",
            "00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "01:00:5e:00:00:fb", "33:33:00:00:00:01",
        ])
    func refused(text: String) {
        #expect(HardwareAddress(text) == nil)
    }

    @Test("bytes of another number, and a group's, are no address")
    func refusedBytes() {
        for count in [0, 5, 7] { #expect(HardwareAddress([UInt8](repeating: 2, count: count)) == nil) }
        #expect(HardwareAddress([UInt8](repeating: 0xFF, count: 6)) == nil)
        #expect(HardwareAddress([UInt8](repeating: 0, count: 6)) == nil)
    }

    @Test("a packet is six bytes FF and the address sixteen times")
    func packet() throws {
        let address = try #require(HardwareAddress("52:54:00:1a:ff:09"))
        let packet = MagicPacket.bytes(for: address)
        #expect(packet.count == 102 && MagicPacket.length == 102)
        #expect(Array(packet.prefix(6)) == [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])
        for index in 0..<16 { #expect(Array(packet[(6 + index * 6)..<(12 + index * 6)]) == address.bytes) }
        #expect(MagicPacket.address(in: packet) == address)
    }

    @Test("another datagram is no packet")
    func noPacket() throws {
        let packet = MagicPacket.bytes(for: try #require(HardwareAddress("52:54:00:1a:ff:09")))
        #expect(MagicPacket.address(in: packet.dropLast()) == nil)
        #expect(MagicPacket.address(in: packet + [0]) == nil)
        #expect(MagicPacket.address(in: [UInt8](repeating: 0xFF, count: 102)) == nil)
        for index in packet.indices {
            var damaged = packet
            damaged[index] ^= 2
            #expect(MagicPacket.address(in: damaged) == nil)
        }
    }
}
