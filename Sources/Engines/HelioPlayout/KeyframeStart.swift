internal import HelioBitstream
internal import HelioCore

/// Tells the packet that opens a keyframe: the one with the parameter sets, which stand before every keyframe (row 142).
///
/// Unlike a slice of a keyframe, of which there are many, it can be told without knowing the packet before it.
enum KeyframeStart {
    /// Whether the payload, a single NAL unit or an aggregation, holds an SPS (H.264) or a VPS (H.265).
    static func isCarried(by payload: RawSpan, codec: VideoCodec) -> Bool {
        guard let header = payload.uint8(at: 0) else { return false }
        guard isAggregation(header, codec: codec) else { return opens(header, codec: codec) }
        var offset = NALHeader.size(codec)
        while let length = payload.uint16(at: offset), let header = payload.uint8(at: offset + 2) {
            if opens(header, codec: codec) { return true }
            offset += 2 + Int(length)
        }
        return false
    }

    private static func isAggregation(_ header: UInt8, codec: VideoCodec) -> Bool {
        switch codec {
        case .h264: H264NALType(header: header) == .stapA
        case .h265: H265NALType(header: header) == .aggregation
        }
    }

    private static func opens(_ header: UInt8, codec: VideoCodec) -> Bool {
        switch codec {
        case .h264: H264NALType(header: header) == .sps
        case .h265: H265NALType(header: header) == .vps
        }
    }
}
