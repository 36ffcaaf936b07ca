import Foundation
import HelioCore

/// The content of a file: bytes, or a size of bytes that are generated when read.
enum FakeContent: Equatable {
    case bytes([UInt8])
    case generated(seed: UInt64, size: UInt64)

    private static let blockSize: UInt64 = 4096
    /// The noise of generated content: each block is stamped with its number at the end.
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

    /// Returns the bytes at an offset, up to the end of the content.
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

    /// True if the content has these bytes at this offset.
    func has(_ other: [UInt8], at offset: UInt64) -> Bool {
        let own = bytes(at: offset, count: other.count)
        // Compared with memcmp, as there may be gigabytes.
        return own.count == other.count
            && own.withUnsafeBytes { a in
                other.withUnsafeBytes { b in a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, b.count) == 0 }
            }
    }
}
