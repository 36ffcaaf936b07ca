import HelioProtection

/// A hash for tests that samples one byte in 4096, so that gigabytes take a moment, and includes their number.
struct SampledHash: IncrementalHash {
    private static let distance: UInt64 = 4096

    private var count: UInt64 = 0
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func update(_ bytes: RawSpan) {
        // The last byte of each block, which is its stamp.
        var next = (Self.distance - 1 - count % Self.distance)
        while next < UInt64(bytes.byteCount) {
            let byte = bytes.unsafeLoad(fromByteOffset: Int(next), as: UInt8.self)
            state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            next += Self.distance
        }
        count += UInt64(bytes.byteCount)
    }

    func digest() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        for index in 0..<8 {
            digest[index] = UInt8(truncatingIfNeeded: count >> UInt64(index * 8))
            digest[index + 8] = UInt8(truncatingIfNeeded: state >> UInt64(index * 8))
        }
        return digest
    }
}
