/// The CRC of a table section (ITU-T H.222.0 annex A), known as CRC-32/MPEG-2: polynomial 04C11DB7, initial value
/// FFFFFFFF, no reflection of input or output.
package enum SectionCRC {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }

    /// Computes the CRC, which is 0 for a whole section including its checksum.
    package static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(.max) { $0 << 8 ^ table[Int($0 >> 24 ^ UInt32($1))] }
    }
}
