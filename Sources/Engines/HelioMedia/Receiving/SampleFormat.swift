import HelioBitstream
package import HelioCore

/// What a parameter set tells of the pictures that follow it, as far as it matters to who shows them.
package struct SampleFormat: Sendable {
    package let codec: VideoCodec
    package let size: PixelSize
    private let bitDepth: Int
    /// `chroma_format_idc`.
    private let chroma: UInt8
    private let hasKnownChroma: Bool

    /// `nil` where the NAL unit is no parameter set of a sequence, or can't be read.
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

    /// What can't be shown, for people; `nil` where all can.
    package var obstacle: String? {
        let names = ["grey", "4:2:0", "4:2:2", "4:4:4"]
        if bitDepth == 8, hasKnownChroma { return nil }
        return "\(codec.encodingName) with \(bitDepth) bits a sample in \(names[Int(min(chroma, 3))])"
    }
}
