import HelioCore

/// The header of a parity packet's payload: it identifies the source packets that the packet protects. The parity of
/// their symbols follows the header.
///
/// ```
///  0                   1                   2                   3
///  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
/// |    first sequence number      |  sources (k)  |  parities (m) |
/// |   index (j)   |   parity of the symbols …
/// ```
/// The sources are k packets with consecutive sequence numbers; the m parity packets of a block have the indices
/// 0 ..< m.
package struct ParityHeader: Sendable, Hashable {
    /// The length in bytes.
    package static let size = 5
    /// The maximum number of sources, and of parities, in a block.
    package static let most = 128

    package let first: UInt16
    package let sources: Int
    package let parities: Int
    package let index: Int

    /// Makes a header; `nil` if the number of sources or of parities is not in 1...128, or `index` is not below the
    /// number of parities.
    package init?(first: UInt16, sources: Int, parities: Int, index: Int) {
        guard (1...Self.most).contains(sources), (1...Self.most).contains(parities), (0..<parities).contains(index)
        else { return nil }
        self.first = first
        self.sources = sources
        self.parities = parities
        self.index = index
    }

    /// Reads the header at the beginning of a payload; `nil` if the payload is too short, or a number in it is out of
    /// range.
    package static func parse(_ payload: RawSpan) -> Self? {
        guard let first = payload.uint16(at: 0), let sources = payload.uint8(at: 2),
            let parities = payload.uint8(at: 3), let index = payload.uint8(at: 4)
        else { return nil }
        return Self(first: first, sources: Int(sources), parities: Int(parities), index: Int(index))
    }

    package func write(into payload: inout [UInt8]) {
        payload.append(bigEndian: first)
        payload.append(UInt8(sources))
        payload.append(UInt8(parities))
        payload.append(UInt8(index))
    }
}
