import HelioBitstream
import HelioCore

/// One planned RTP payload that is not written yet; its bytes are still in the slice.
struct PayloadCut {
    enum Kind {
        case single(Range<Int>)
        /// An aggregation. `first` is its first NAL unit; `rest` is a cursor from which the others are read.
        case shared(Aggregation, first: Range<Int>, rest: AnnexB.Cursor)
        /// A fragment. `nal` is the offset of the NAL unit's own header; `flags` has the start and end bits.
        case fragment(nal: Int, body: Range<Int>, flags: UInt8)
    }

    let kind: Kind
    /// The payload's size in bytes.
    let size: Int
    /// True for the last payload of its frame.
    let isLast: Bool

    /// Appends the payload, which is copied from the slice's Annex B bytes.
    func write(_ bytes: RawSpan, codec: VideoCodec, into packet: inout [UInt8]) {
        switch kind {
        case .single(let range):
            packet.append(bytes, range)
        case .shared(let shared, let first, var rest):
            let start = packet.count
            shared.writeHeader(into: &packet)
            shared.write(bytes, first, into: &packet, headerAt: start)
            for _ in 1..<shared.count {
                guard let range = PayloadCutter.nextNALUnit(&rest, in: bytes, codec: codec) else { break }
                shared.write(bytes, range, into: &packet, headerAt: start)
            }
        case .fragment(let nal, let body, let flags):
            writeFragmentHeader(bytes, nal, flags: flags, codec: codec, into: &packet)
            packet.append(bytes, body)
        }
    }

    /// ```
    /// H.264:  |F|NRI|   28    |         | S | E | 0 | Type (5) |
    /// H.265:  |F|     49      | LayerId | TID | S | E | Type (6) |
    /// ```
    private func writeFragmentHeader(
        _ bytes: RawSpan, _ nal: Int, flags: UInt8, codec: VideoCodec, into packet: inout [UInt8]
    ) {
        guard let header = bytes.uint8(at: nal) else { return }
        switch codec {
        case .h264:
            packet.append(header & 0xE0 | H264NALType.fuA.rawValue)
            packet.append(flags | H264NALType(header: header).rawValue)
        case .h265:
            packet.append(header & 0x81 | H265NALType.fragment.rawValue << 1)
            packet.append(bytes, nal + 1..<nal + 2)
            packet.append(flags | H265NALType(header: header).rawValue)
        }
    }
}
