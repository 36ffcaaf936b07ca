import HelioCore
import HelioSCTP
import Testing

@Suite("CRC32c")
struct CRC32CTests {
    /// The vectors of RFC 3720 appendix B.4, which RFC 3309 adopted, and the check value of CRC catalogues.
    @Test(arguments: [
        ([UInt8](repeating: 0, count: 32), 0x8A91_36AA as UInt32),
        ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43 as UInt32),
        ([UInt8](0..<32), 0x46DD_794E as UInt32), ([UInt8]((0..<32).reversed()), 0x113F_DB5C as UInt32),
        ([UInt8]("123456789".utf8), 0xE306_9283 as UInt32), ([UInt8](), 0 as UInt32),
    ])
    func vectors(bytes: [UInt8], checksum: UInt32) {
        #expect(CRC32C.checksum(bytes.span.bytes) == checksum)
    }

    @Test("steps of eight bytes and single ones agree with the definition, bit by bit")
    func agreesWithDefinition() {
        var generator = SeededGenerator(seed: 3)
        for count in 0..<80 {
            let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            var crc = UInt32.max
            for byte in bytes {
                crc ^= UInt32(byte)
                for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
            }
            #expect(CRC32C.checksum(bytes.span.bytes) == ~crc)
        }
    }

    @Test("a packet's own checksum counts as zero and is sent with its last byte first")
    func packet() {
        var packet = [UInt8](0..<40)
        for offset in 8..<12 { packet[offset] = 0 }
        let expected = CRC32C.checksum(packet.span.bytes)
        packet.setPacketChecksum()
        #expect(CRC32C.packetChecksum(packet.span.bytes) == expected)
        #expect(Array(packet[8..<12]) == (0..<4).map { UInt8(truncatingIfNeeded: expected >> ($0 * 8)) })
        #expect(SCTPHeader.parse(packet.span.bytes)?.checksum == expected)
    }
}
