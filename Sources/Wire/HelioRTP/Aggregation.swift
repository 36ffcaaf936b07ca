import HelioBitstream
import HelioCore

/// NAL units that share a packet: STAP-A (RFC 6184 section 5.7.1) or AP (RFC 7798 section 4.4.2).
///
/// ```
/// | payload header (1 or 2) | size (2) | NAL unit | size (2) | NAL unit | …
/// ```
struct Aggregation {
    private let codec: VideoCodec
    private(set) var count = 1
    /// The size of the payload, in bytes.
    private(set) var size: Int

    private static let lengthSize = 2

    init(codec: VideoCodec, first: Range<Int>) {
        self.codec = codec
        size = NALHeader.size(codec) + Self.lengthSize + first.count
    }

    func size(with nal: Range<Int>) -> Int {
        size + Self.lengthSize + nal.count
    }

    mutating func add(_ nal: Range<Int>) {
        size = size(with: nal)
        count += 1
    }

    /// Appends the payload header in its initial state, which `write` then updates with each NAL unit's bits.
    func writeHeader(into packet: inout [UInt8]) {
        switch codec {
        case .h264:
            packet.append(H264NALType.stapA.rawValue)
        case .h265:
            packet.append(H265NALType.aggregation.rawValue << 1 | 1)
            packet.append(0xFF)
        }
    }

    /// Appends a NAL unit's size and bytes, and updates the payload header: F is set if any unit has it set, NRI is the
    /// highest of all units; for H.265, LayerId and TID are the lowest.
    func write(_ bytes: RawSpan, _ nal: Range<Int>, into packet: inout [UInt8], headerAt offset: Int) {
        packet.append(bigEndian: UInt16(truncatingIfNeeded: nal.count))
        packet.append(bytes, nal)
        guard let first = bytes.uint8(at: nal.lowerBound) else { return }
        let forbidden: UInt8 = 0x80
        switch codec {
        case .h264:
            let importance: UInt8 = 0x60
            let highest = max(packet[offset] & importance, first & importance)
            packet[offset] = (packet[offset] | first) & forbidden | highest | H264NALType.stapA.rawValue
        case .h265:
            guard let second = bytes.uint8(at: nal.lowerBound + 1) else { return }
            let mine = UInt16(packet[offset] & 1) << 8 | UInt16(packet[offset + 1])
            let theirs = UInt16(first & 1) << 8 | UInt16(second)
            let layer = min(mine & 0x1F8, theirs & 0x1F8)
            let temporal = min(mine & 7, theirs & 7)
            packet[offset] =
                (packet[offset] | first) & forbidden | H265NALType.aggregation.rawValue << 1 | UInt8(layer >> 8)
            packet[offset + 1] = UInt8(truncatingIfNeeded: layer | temporal)
        }
    }
}
