import HelioBitstream
import HelioCore

/// Iterates over the NAL units of an aggregation packet's payload: STAP-A of RFC 6184, or AP of RFC 7798.
struct AggregatedUnits {
    private let codec: VideoCodec
    private var offset: Int

    init(codec: VideoCodec) {
        self.codec = codec
        offset = NALHeader.size(codec)
    }

    /// Returns the range of the next NAL unit; `nil` at the end. A payload without any NAL unit fails as truncated.
    /// After a failure, the rest of the payload can't be parsed.
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

    /// Calls `body` with the range of each complete NAL unit in an H.264 payload: the only unit of a single NAL unit
    /// packet, or the units of a STAP-A up to the first malformed one. A fragment has no complete unit.
    static func forEachUnit(in payload: RawSpan, _ body: (Range<Int>) -> Void) {
        guard let header = payload.uint8(at: 0) else { return }
        let type = H264NALType(header: header)
        if type.isNALUnit { return body(0..<payload.byteCount) }
        guard type == .stapA else { return }
        var units = AggregatedUnits(codec: .h264)
        while case .success(let unit)? = units.next(in: payload) { body(unit) }
    }
}
