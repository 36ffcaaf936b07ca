import Foundation
import HelioCore

/// What a file has in it: bytes, or so many that they are made when they are read.
enum FakeContent: Equatable {
    case bytes([UInt8])
    case generated(seed: UInt64, size: UInt64)

    private static let blockSize: UInt64 = 4096
    /// Noise for generated content: each block gets its own number at its end.
    private static let noise: [UInt8] = {
        var generator = SeededGenerator(seed: 7)
        var bytes: [UInt8] = []
        for _ in 0..<(1 << 17) { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return bytes + bytes
    }()

    var size: UInt64 {
        switch self {
        case .bytes(let bytes): UInt64(bytes.count)
        case .generated(_, let size): size
        }
    }

    /// The bytes at a place, as many as there are of them.
    func bytes(at offset: UInt64, count: Int) -> [UInt8] {
        let end = min(size, offset + UInt64(count))
        guard offset < end else { return [] }
        switch self {
        case .bytes(let bytes): return Array(bytes[Int(offset)..<Int(end)])
        case .generated(let seed, _):
            let start = Int(offset % UInt64(Self.noise.count / 2))
            var bytes = Array(Self.noise[start..<start + Int(end - offset)])
            var block = offset / Self.blockSize
            while block <= end / Self.blockSize {
                let stamp = (block &+ seed) &* 0x9E37_79B9_7F4A_7C15
                for index in 0..<8 as Range<UInt64> {
                    let place = block * Self.blockSize + Self.blockSize - 8 + index
                    if place >= offset, place < end {
                        bytes[Int(place - offset)] = UInt8(truncatingIfNeeded: stamp >> (index * 8))
                    }
                }
                block += 1
            }
            return bytes
        }
    }

    /// True where these bytes are at this place.
    func has(_ other: [UInt8], at offset: UInt64) -> Bool {
        let own = bytes(at: offset, count: other.count)
        // At once: gigabytes are compared.
        return own.count == other.count
            && own.withUnsafeBytes { a in
                other.withUnsafeBytes { b in a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, b.count) == 0 }
            }
    }
}
