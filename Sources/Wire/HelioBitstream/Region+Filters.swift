package import HelioCore

extension Region {
    /// The region that in-loop filters may change if this region's blocks change.
    ///
    /// The deblocking filter changes luma up to 3 pixels and chroma up to 2 pixels beyond a block's edge (4:2:0).
    /// H.265's sample adaptive offset reaches one pixel further.
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
