internal import HelioBitstream
internal import HelioCore

/// Recognises the first packet of a keyframe: the packet with the parameter sets, which precede every keyframe of a
/// Heliograph source.
///
/// Unlike one of a keyframe's many slices, this packet can be recognised without knowing the packet before it. A
/// third-party source may send its parameter sets elsewhere, so there a keyframe may also begin with its first slice.
struct KeyframeStart: Sendable {
    let codec: VideoCodec
    let needsParameterSets: Bool

    /// Returns whether the payload (a single NAL unit, an aggregation or the first fragment of a slice) opens a
    /// keyframe.
    func isCarried(by payload: RawSpan) -> Bool {
        guard let header = payload.uint8(at: 0) else { return false }
        switch Self.kind(header, codec: codec) {
        case .single: return isOpening(payload, unit: 0, header: header)
        case .fragment:
            guard !needsParameterSets, let flags = payload.uint8(at: headerSize), flags & 0x80 != 0 else {
                return false
            }
            let header = codec == .h264 ? flags & 0x1F : (flags & 0x3F) << 1
            return NALHeader.isKeyframe(header, codec: codec) && isFirstSlice(payload, at: headerSize + 1)
        case .aggregation:
            var offset = headerSize
            while let length = payload.uint16(at: offset), let header = payload.uint8(at: offset + 2) {
                if isOpening(payload, unit: offset + 2, header: header) { return true }
                offset += 2 + Int(length)
            }
            return false
        }
    }

    private enum Kind {
        case single
        case aggregation
        case fragment
    }

    private static func kind(_ header: UInt8, codec: VideoCodec) -> Kind {
        switch codec {
        case .h264:
            switch H264NALType(header: header) {
            case .stapA: .aggregation
            case .fuA: .fragment
            default: .single
            }
        case .h265:
            switch H265NALType(header: header) {
            case .aggregation: .aggregation
            case .fragment: .fragment
            default: .single
            }
        }
    }

    private var headerSize: Int { NALHeader.size(codec) }

    /// Returns whether the NAL unit is an SPS (H.264) or a VPS (H.265), or, unless parameter sets are required, a
    /// keyframe's first slice.
    private func isOpening(_ payload: RawSpan, unit: Int, header: UInt8) -> Bool {
        let isSet = codec == .h264 ? H264NALType(header: header) == .sps : H265NALType(header: header) == .vps
        if isSet || needsParameterSets { return isSet }
        return NALHeader.isKeyframe(header, codec: codec) && isFirstSlice(payload, at: unit + headerSize)
    }

    /// Reads the slice header's first bit: `first_mb_in_slice` is 0 (H.264 section 7.3.3), or
    /// `first_slice_segment_in_pic_flag` is set (H.265 section 7.3.6.1).
    private func isFirstSlice(_ payload: RawSpan, at offset: Int) -> Bool {
        payload.uint8(at: offset).map { $0 & 0x80 != 0 } ?? false
    }
}
