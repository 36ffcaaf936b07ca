package import HelioCore

/// Limits on the size of pictures that are decoded: in luma samples as they are coded, which is what costs memory.
package enum PictureLimit {
    /// The limit for streams of which nothing was agreed: that of the highest level of H.264 and of H.265, 6.2
    /// (8192x4352, say).
    package static let standard = 35_651_584

    /// The limit for a stream whose pictures were agreed to be no larger than this.
    package static func samples(within size: PixelSize?) -> Int {
        guard let size, size.width > 0, size.height > 0 else { return standard }
        return min(standard, padded(size.width) * padded(size.height))
    }

    /// An extent as it is coded: coded pictures are whole blocks, of up to 64 pixels.
    private static func padded(_ extent: Int) -> Int { (min(extent, SequenceLimits.maximumExtent) + 63) & ~63 }

    /// The size of the largest pictures that parameter sets ahead of the first slice announce, if it is above `limit`.
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
