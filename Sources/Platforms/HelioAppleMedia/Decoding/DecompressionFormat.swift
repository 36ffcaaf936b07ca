internal import HelioBitstream
package import HelioCore

/// The format for which a decompression session is made: a stream's parameter sets, with their contents (row 42).
package struct DecompressionFormat: Sendable, Hashable {
    /// The bytes of the length before each NAL unit of a sample.
    package static let lengthSize = 4

    package let codec: VideoCodec
    /// VPS (H.265 only), SPS and PPS, each without a start code: Core Media makes a format description from them.
    package let parameterSets: [[UInt8]]
    /// The pictures, as the SPS describes them: the size after cropping, chroma and colour.
    package let picture: PictureDescription
    /// The size before cropping: a decoder needs memory for it.
    package let codedSize: PixelSize
    package let profile: UInt8
    /// The most pictures that may be sent before one that is shown earlier.
    package let reorderedPictures: Int

    /// The samples that a session must deliver.
    package var samples: SampleFormat { SampleFormat(chroma: picture.chroma, isFullRange: picture.color.isFullRange) }

    /// The limit of pictures to hold back, whatever a stream says: the largest decoded picture buffer of H.264 and
    /// H.265 has 16.
    private static let mostReordered = 16

    /// Reads parameter sets; `nil` if one of them is missing, or the SPS can't be read.
    package init?(codec: VideoCodec, parameterSets: [[UInt8]]) {
        func has(_ type: (UInt8) -> Bool) -> Bool { parameterSets.contains { $0.first.map(type) ?? false } }
        self.codec = codec
        self.parameterSets = parameterSets
        switch codec {
        case .h264:
            guard has({ H264NALType(header: $0) == .pps }),
                let sps = parameterSets.lazy.compactMap({ H264SequenceParameters.parse(nal: $0.span.bytes) }).first,
                let picture = sps.picture, sps.bitDepth == 8
            else { return nil }
            self.picture = picture
            codedSize = sps.codedSize
            profile = sps.profile
            // Baseline has no B pictures. If the SPS of another profile has no limit, as many pictures may be reordered
            // as the decoder stores.
            let stored = sps.profile == 66 ? 0 : sps.maximumReorderedFrames ?? sps.maximumBufferedFrames ?? 4
            reorderedPictures = min(Self.mostReordered, stored)
        case .h265:
            guard has({ H265NALType(header: $0) == .vps }), has({ H265NALType(header: $0) == .pps }),
                let sps = parameterSets.lazy.compactMap({ H265SequenceParameters.parse(nal: $0.span.bytes) }).first,
                let picture = sps.picture, sps.bitDepth == 8
            else { return nil }
            self.picture = picture
            codedSize = sps.codedSize
            profile = sps.profile
            reorderedPictures = min(Self.mostReordered, sps.maximumReorderedFrames)
        }
    }

    /// True if size, profile and samples are the same: then a session for one format may decode the other, if it
    /// accepts the other's parameter sets (row 74).
    package func resembles(_ other: Self) -> Bool {
        codec == other.codec && picture.size == other.picture.size && codedSize == other.codedSize
            && profile == other.profile && samples == other.samples
    }
}
