import HelioBitstream
import HelioCore

/// Plans the distribution of a slice's NAL units over RTP payloads: RFC 6184 in packetization mode 1 (single NAL unit,
/// STAP-A, FU-A), RFC 7798 without DONL (single NAL unit, AP, FU).
///
/// Consecutive small NAL units share a payload, large ones are fragmented. Nothing is copied here: each ``PayloadCut``
/// describes one payload to write.
struct PayloadCutter: Sendable {
    let codec: VideoCodec
    /// The maximum size of a payload, in bytes.
    let capacity: Int
    /// The maximum size of a frame's last payload, in bytes; that packet may have a longer RTP header.
    let lastCapacity: Int

    /// Emits the payloads of one slice in order.
    ///
    /// A NAL unit that the payload format can't carry (without a whole header, or of a type that has another meaning in
    /// RTP) is left out. A slice without a NAL unit emits nothing.
    ///
    /// - Parameter endsFrame: true if the slice is its frame's last.
    func cut(_ bytes: RawSpan, endsFrame: Bool, emit: (PayloadCut) -> Void) {
        // An aggregation in the frame's last slice may be the frame's last payload, so its size is limited to
        // `lastCapacity`.
        let sharedCapacity = endsFrame ? lastCapacity : capacity
        var cursor = AnnexB.Cursor()
        var upcoming = Self.nextNALUnit(&cursor, in: bytes, codec: codec)
        while let first = upcoming {
            // `upcoming` is read ahead, so `cursor` is past it, while `rest` stays right after `first`.
            let rest = cursor
            var shared = Aggregation(codec: codec, first: first)
            upcoming = Self.nextNALUnit(&cursor, in: bytes, codec: codec)
            while let candidate = upcoming, shared.size(with: candidate) <= sharedCapacity {
                shared.add(candidate)
                upcoming = Self.nextNALUnit(&cursor, in: bytes, codec: codec)
            }
            let isLast = endsFrame && upcoming == nil
            if shared.count > 1 {
                emit(PayloadCut(kind: .shared(shared, first: first, rest: rest), size: shared.size, isLast: isLast))
            } else if first.count <= (isLast ? lastCapacity : capacity) {
                emit(PayloadCut(kind: .single(first), size: first.count, isLast: isLast))
            } else {
                fragment(first, isLast: isLast, emit)
            }
        }
    }

    static func nextNALUnit(_ cursor: inout AnnexB.Cursor, in bytes: RawSpan, codec: VideoCodec) -> Range<Int>? {
        while let range = cursor.next(in: bytes) {
            guard range.count >= NALHeader.size(codec), let header = bytes.uint8(at: range.lowerBound) else { continue }
            if NALHeader.isNALUnit(header, codec: codec) { return range }
        }
        return nil
    }

    /// Splits a NAL unit into FU-A (RFC 6184 section 5.8) or FU (RFC 7798 section 4.4.3). The NAL unit's own header is
    /// not copied; the fragment headers contain its type.
    private func fragment(_ nal: Range<Int>, isLast: Bool, _ emit: (PayloadCut) -> Void) {
        let headerSize = NALHeader.size(codec)
        let fragmentHeaderSize = headerSize + 1
        let usual = capacity - fragmentHeaderSize
        let last = (isLast ? lastCapacity : capacity) - fragmentHeaderSize
        var offset = nal.lowerBound + headerSize
        var isStart = true
        while offset < nal.upperBound {
            let left = nal.upperBound - offset
            // A fragment never has both the start and the end bit, and the last fragment may have a lower limit.
            let isEnd = left <= last && !isStart
            let count = isEnd ? left : min(usual, left - 1)
            let flags: UInt8 = (isStart ? 0x80 : 0) | (isEnd ? 0x40 : 0)
            emit(
                PayloadCut(
                    kind: .fragment(nal: nal.lowerBound, body: offset..<offset + count, flags: flags),
                    size: fragmentHeaderSize + count, isLast: isEnd && isLast))
            offset += count
            isStart = false
        }
    }
}
