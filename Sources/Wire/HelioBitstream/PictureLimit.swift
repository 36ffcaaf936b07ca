package import HelioCore

/// Limits on the size of decoded pictures, in coded luma samples, to bound a decoder's memory.
package enum PictureLimit {
    /// The limit for streams whose picture size was not negotiated: the maximum of level 6.2, the highest level of
    /// H.264 and H.265 (for example 8192x4352).
    package static let standard = 35_651_584

    /// The limit for a stream whose negotiated maximum picture size is `size`.
    package static func samples(within size: PixelSize?) -> Int {
        guard let size, size.width > 0, size.height > 0 else { return standard }
        return min(standard, padded(size.width) * padded(size.height))
    }

    /// Rounds a width or height up to whole coding blocks of up to 64 pixels.
    private static func padded(_ extent: Int) -> Int { (min(extent, SequenceLimits.maximumExtent) + 63) & ~63 }

    /// The first picture size with more than `limit` luma samples in the parameter sets before the first slice; `nil`
    /// if there is none.
    package static func excess(over limit: Int, inAnnexB bytes: RawSpan, codec: VideoCodec) -> PixelSize? {
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            if NALHeader.isVCL(header, codec: codec) { return nil }
            guard NALHeader.isParameterSet(header, codec: codec) else { continue }
            let nal = bytes.extracting(range)
            let size =
                switch codec {
                case .h264: H264SequenceParameters.parse(nal: nal)?.codedSize
                case .h265: H265SequenceParameters.parse(nal: nal)?.codedSize
                }
            if let size, size.area > limit { return size }
        }
        return nil
    }
}
