import HelioBitstream
package import HelioCore
package import HelioSDP

/// The parameter sets of a stream, as carried by a keyframe: a decoder needs them before the first picture, and SDP can
/// carry them beforehand (RFC 6184 section 8.1, RFC 7798 section 7.1).
package struct ParameterSets: Sendable, Equatable {
    package let codec: VideoCodec
    private var video: [[UInt8]] = []
    private var sequence: [[UInt8]] = []
    private var picture: [[UInt8]] = []

    /// Reads the sets before the first coded slice; `nil` if an SPS, a PPS or, for H.265, a VPS is missing.
    package init?(annexB: [UInt8], codec: VideoCodec) {
        self.codec = codec
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound), !NALHeader.isVCL(header, codec: codec),
                let nal = bytes.bytes(at: range.lowerBound, count: range.count)
            else { break }
            switch codec {
            case .h264:
                switch H264NALType(header: header) {
                case .sps: sequence.append(nal)
                case .pps: picture.append(nal)
                default: break
                }
            case .h265:
                switch H265NALType(header: header) {
                case .vps: video.append(nal)
                case .sps: sequence.append(nal)
                case .pps: picture.append(nal)
                default: break
                }
            }
        }
        guard let first = sequence.first, first.count >= 4, !picture.isEmpty, codec == .h264 || !video.isEmpty else {
            return nil
        }
    }

    /// The size of the pictures; `nil` if it can't be parsed.
    package var size: PixelSize? {
        let nal = sequence[0]
        return switch codec {
        case .h264: H264SequenceParameters.parse(nal: nal.span.bytes)?.size
        case .h265: H265SequenceParameters.parse(nal: nal.span.bytes)?.size
        }
    }

    /// The `a=fmtp` line with the sets.
    package func formatParameters(for type: PayloadType) -> FormatParameters {
        func coded(_ sets: [[UInt8]]) -> String { sets.map { Base64.encode($0) }.joined(separator: ",") }
        switch codec {
        case .h264:
            return FormatParameters(
                type,
                [
                    .init("packetization-mode", "1"),
                    // profile_idc, constraint flags, level_idc: the three bytes after the NAL header.
                    .init("profile-level-id", Hexadecimal.text(Array(sequence[0][1...3]))),
                    .init("sprop-parameter-sets", coded(sequence + picture)),
                ])
        case .h265:
            return FormatParameters(
                type,
                [
                    .init("sprop-vps", coded(video)), .init("sprop-sps", coded(sequence)),
                    .init("sprop-pps", coded(picture)),
                ])
        }
    }
}
