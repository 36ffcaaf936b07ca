/// The CRC-32C checksum of SCTP packets (RFC 9260 appendix A), computed over 8 bytes per step.
package enum CRC32C {
    /// Eight tables of 256 entries; table `n` contains the effect of a byte that is followed by `n` more bytes of the
    /// step.
    private static let tables = makeTables()

    /// The checksum of all `bytes`.
    package static func checksum(_ bytes: RawSpan) -> UInt32 {
        ~update(.max, bytes)
    }

    /// The checksum of an SCTP packet of at least 12 bytes, computed with its checksum field as zero. Unlike all other
    /// fields, it is sent in little-endian byte order.
    package static func packetChecksum(_ packet: RawSpan) -> UInt32 {
        var crc = update(.max, packet.extracting(0..<8))
        let table = tables
        for _ in 0..<4 { crc = crc >> 8 ^ table[Int(crc & 0xFF)] }
        return ~update(crc, packet.extracting(12..<packet.byteCount))
    }

    private static func update(_ start: UInt32, _ bytes: RawSpan) -> UInt32 {
        let table = tables
        return bytes.withUnsafeBytes { input in
            table.withUnsafeBufferPointer { table in
                var crc = start
                var offset = 0
                let wholeSteps = input.count & ~7
                while offset < wholeSteps {
                    let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    let x = word ^ UInt64(crc)
                    crc = table[1792 + Int(x & 0xFF)] ^ table[1536 + Int(x >> 8 & 0xFF)]
                    crc ^= table[1280 + Int(x >> 16 & 0xFF)] ^ table[1024 + Int(x >> 24 & 0xFF)]
                    crc ^= table[768 + Int(x >> 32 & 0xFF)] ^ table[512 + Int(x >> 40 & 0xFF)]
                    crc ^= table[256 + Int(x >> 48 & 0xFF)] ^ table[Int(x >> 56)]
                    offset += 8
                }
                while offset < input.count {
                    crc = crc >> 8 ^ table[Int((crc ^ UInt32(input[offset])) & 0xFF)]
                    offset += 1
                }
                return crc
            }
        }
    }

    private static func makeTables() -> [UInt32] {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var crc = UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x82F6_3B78 }
            tables[byte] = crc
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }
}
