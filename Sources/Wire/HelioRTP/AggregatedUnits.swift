import HelioBitstream
import HelioCore

/// Iterates over the NAL units in the payload of a STAP-A or an AP.
struct AggregatedUnits {
    private let codec: VideoCodec
    private var offset: Int

    init(codec: VideoCodec) {
        self.codec = codec
        offset = NALHeader.size(codec)
    }

    /// The range of the next NAL unit; `nil` at the end. A payload without any NAL unit fails as truncated. After a
    /// failure the rest of the payload can't be read.
    mutating func next(in payload: RawSpan) -> Result<Range<Int>, RTPDepacketizer.Malformation>? {
        if offset == payload.byteCount, offset > NALHeader.size(codec) { return nil }
        guard let length = payload.uint16(at: offset) else { return .failure(.truncated) }
        let start = offset + 2
        guard
            length >= NALHeader.size(codec), Int(length) <= payload.byteCount - start,
            let header = payload.uint8(at: start)
        else { return .failure(.truncated) }
        guard NALHeader.isNALUnit(header, codec: codec) else { return .failure(.unsupported) }
        offset = start + Int(length)
        return .success(start..<offset)
    }

    /// Calls `body` with the range of each NAL unit that is whole in a payload of H.264, alone or aggregated. After a
    /// malformed aggregation no more follow.
    static func forEachUnit(in payload: RawSpan, _ body: (Range<Int>) -> Void) {
        guard let header = payload.uint8(at: 0) else { return }
        let type = H264NALType(header: header)
        if type.isNALUnit { return body(0..<payload.byteCount) }
        guard type == .stapA else { return }
        var units = AggregatedUnits(codec: .h264)
        while case .success(let unit)? = units.next(in: payload) { body(unit) }
    }
}
