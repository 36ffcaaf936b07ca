import HelioCore

/// A SACK chunk: the acknowledgement of received TSNs (RFC 9260 section 3.3.4). The gap blocks are read from the packet
/// on demand, as there may be many.
///
/// ```
/// |                     cumulative TSN ack                        |
/// |           advertised receiver window credit (a_rwnd)          |
/// |    number of gap ack blocks   |   number of duplicate TSNs    |
/// |        gap ack block's start  |  its end: both after the cumulative TSN
/// |                       duplicate TSN ...                       |
/// ```
package struct SackChunk: Sendable, Hashable {
    package static let headerSize = 16

    package var cumulative: UInt32
    package var window: UInt32
    package var gapCount: Int
    private var gapsAt: Int

    /// Parses a chunk; `nil` if it is truncated, or its gap blocks are empty, out of order or overlapping.
    package static func parse(_ item: ChunkReader.Item, in packet: RawSpan) -> Self? {
        let at = item.value.lowerBound
        guard item.value.count >= 12, let cumulative = packet.uint32(at: at), let window = packet.uint32(at: at + 4),
            let gaps = packet.uint16(at: at + 8), let duplicates = packet.uint16(at: at + 10),
            item.value.count >= 12 + (Int(gaps) + Int(duplicates)) * 4
        else { return nil }
        let chunk = Self(cumulative: cumulative, window: window, gapCount: Int(gaps), gapsAt: at + 12)
        var last = 0
        for index in 0..<chunk.gapCount {
            guard let gap = chunk.gap(index, in: packet), gap.lowerBound > last else { return nil }
            last = gap.upperBound
        }
        return chunk
    }

    /// Returns a gap block as offsets from the cumulative TSN; `nil` if there is no such block, or it is invalid.
    package func gap(_ index: Int, in packet: RawSpan) -> ClosedRange<Int>? {
        guard index < gapCount, let start = packet.uint16(at: gapsAt + index * 4),
            let end = packet.uint16(at: gapsAt + index * 4 + 2), start <= end
        else { return nil }
        return Int(start)...Int(end)
    }
}
