import HelioCore

/// The checksum that distinguishes STUN from other protocols on the same port (RFC 8489 section 14.7): CRC-32 as in
/// ITU-T V.42, XORed with the letters `STUN`.
enum STUNFingerprint {
    private static let letters: UInt32 = 0x5354_554E

    /// The CRC of each byte value.
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
    }

    /// The checksum of everything before the attribute; the header's length already includes the attribute.
    static func of(_ bytes: RawSpan) -> UInt32 {
        var sum = UInt32.max
        let table = table.span
        for offset in 0..<bytes.byteCount {
            let byte = bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
        return ~sum ^ letters
    }
}
