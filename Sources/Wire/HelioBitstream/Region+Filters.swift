package import HelioCore

extension Region {
    /// The pixels that may differ when the blocks of this region do.
    ///
    /// The deblocking filter changes up to 3 pixels beyond a block's edge, and for chroma 2 (4:2:0); H.265's sample
    /// adaptive offset reaches one further.
    package func filtered(by codec: VideoCodec, within size: PixelSize) -> Region {
        let margin = codec == .h264 ? 4 : 8
        var result = Region()
        for rect in rects {
            result.add(
                PixelRect(
                    x: rect.x - margin, y: rect.y - margin, width: rect.width + 2 * margin,
                    height: rect.height + 2 * margin
                ).intersection(PixelRect(size)))
        }
        return result
    }
}
