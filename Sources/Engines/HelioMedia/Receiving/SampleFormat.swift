import HelioBitstream
package import HelioCore

/// The format of the pictures that a parameter set describes: size, bit depth and chroma, which decide whether they can
/// be shown.
package struct SampleFormat: Sendable {
    package let codec: VideoCodec
    package let size: PixelSize
    private let bitDepth: Int
    /// The field `chroma_format_idc`.
    private let chroma: UInt8
    private let hasKnownChroma: Bool

    /// Parses a parameter set; `nil` if the NAL unit is not a sequence parameter set, or is malformed.
    package init?(_ nal: RawSpan, codec: VideoCodec) {
        self.codec = codec
        switch codec {
        case .h264:
            guard let set = H264SequenceParameters.parse(nal: nal) else { return nil }
            (size, bitDepth, chroma, hasKnownChroma) = (set.size, set.bitDepth, set.chromaFormat, set.picture != nil)
        case .h265:
            guard let set = H265SequenceParameters.parse(nal: nal) else { return nil }
            (size, bitDepth, chroma, hasKnownChroma) = (set.size, set.bitDepth, set.chromaFormat, set.picture != nil)
        }
    }

    /// A human-readable description of a format that can't be shown; `nil` if the format can be shown.
    package var obstacle: String? {
        let names = ["grey", "4:2:0", "4:2:2", "4:4:4"]
        if bitDepth == 8, hasKnownChroma { return nil }
        return "\(codec.encodingName) with \(bitDepth) bits a sample in \(names[Int(min(chroma, 3))])"
    }
}
