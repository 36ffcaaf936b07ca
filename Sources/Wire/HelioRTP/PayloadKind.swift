import HelioBitstream
import HelioCore

/// The structure of a payload, from its first byte (RFC 6184 table 1, RFC 7798 section 4.4).
enum PayloadKind {
    case single
    case aggregation
    case fragment
    case unsupported

    init(_ header: UInt8, codec: VideoCodec) {
        if NALHeader.isNALUnit(header, codec: codec) {
            self = .single
            return
        }
        switch codec {
        case .h264:
            switch H264NALType(header: header) {
            case .stapA: self = .aggregation
            case .fuA: self = .fragment
            default: self = .unsupported
            }
        case .h265:
            switch H265NALType(header: header) {
            case .aggregation: self = .aggregation
            case .fragment: self = .fragment
            default: self = .unsupported
            }
        }
    }
}
