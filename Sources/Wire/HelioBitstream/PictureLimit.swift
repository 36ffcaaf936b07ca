package import HelioCore

/// Limits on the size of decoded pictures, in coded luma samples, which determine a decoder's memory.
package enum PictureLimit {
    /// The limit for streams without an agreed picture size: that of the highest level of H.264 and of H.265, 6.2 (for
    /// example 8192x4352).
    package static let standard = 35_651_584

    /// The limit for a stream whose pictures were agreed to be no larger than `size`.
    package static func samples(within size: PixelSize?) -> Int {
        guard let size, size.width > 0, size.height > 0 else { return standard }
        return min(standard, padded(size.width) * padded(size.height))
    }

    /// An extent as it is coded: coded pictures consist of whole blocks of up to 64 pixels.
    private static func padded(_ extent: Int) -> Int { (min(extent, SequenceLimits.maximumExtent) + 63) & ~63 }

    /// The first picture size above `limit` that a parameter set before the first slice announces; `nil` if there is
    /// none.
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
