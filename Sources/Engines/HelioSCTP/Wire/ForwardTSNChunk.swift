import HelioCore

/// A FORWARD-TSN chunk: the sender has abandoned all unacknowledged data up to a TSN (RFC 3758 section 3.2).
///
/// ```
/// |                     new cumulative TSN                        |
/// |      stream of ordered data   |   its last sequence number    |  ...
/// ```
package struct ForwardTSNChunk: Sendable, Hashable {
    package struct Skip: Sendable, Hashable {
        package var stream: UInt16
        package var sequence: UInt16
        package init(stream: UInt16, sequence: UInt16) {
            self.stream = stream
            self.sequence = sequence
        }
    }

    package var cumulative: UInt32
    package var skips: [Skip]

    package init(cumulative: UInt32, skips: [Skip]) {
        self.cumulative = cumulative
        self.skips = skips
    }

    package static func parse(_ item: ChunkReader.Item, in packet: RawSpan) -> Self? {
        let at = item.value.lowerBound
        guard item.value.count >= 4, item.value.count & 3 == 0, let cumulative = packet.uint32(at: at) else {
            return nil
        }
        var chunk = Self(cumulative: cumulative, skips: [])
        for offset in stride(from: at + 4, to: item.value.upperBound, by: 4) {
            guard let stream = packet.uint16(at: offset), let sequence = packet.uint16(at: offset + 2) else {
                return nil
            }
            chunk.skips.append(Skip(stream: stream, sequence: sequence))
        }
        return chunk
    }

    package func write(into bytes: inout [UInt8]) {
        bytes.appendChunk(.forwardTSN) { bytes in
            bytes.append(bigEndian: cumulative)
            for skip in skips {
                bytes.append(bigEndian: skip.stream)
                bytes.append(bigEndian: skip.sequence)
            }
        }
    }
}
