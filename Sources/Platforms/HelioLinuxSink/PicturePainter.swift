internal import CLibYUV
internal import HelioCore
internal import HelioWindow

/// Paints pictures into a window's pixels, only where they changed.
///
/// Pixels are converted directly into the window at the picture's own size. For other sizes, they are converted into a
/// cached image of the picture's size, of which only the damage is converted again. That image is then scaled, clipped
/// to the requested rectangles: this was measured to be faster than scaling planes, and gives the same pixels as
/// scaling the complete image. Below half size the image is first halved by exact averages of 2x2 pixels, so that thin
/// lines don't vanish.
final class PicturePainter {
    /// The cached image at the picture's own size, then its successive halvings.
    private var levels: [PixelImage] = []
    /// The outdated region of `levels[0]`, in pixels of the picture.
    private var stale = Region()

    /// Adds the region that a new picture changed to the outdated one. Must be called for every picture, drawn or not.
    func noteDamage(_ damage: Region, of picture: DecodedPicture) {
        if levels.first?.size == picture.size { stale.add(damage) }
    }

    /// Returns the rectangle that must be painted in order to paint `rect` of the window. For an unscaled picture with
    /// subsampled chroma, it is expanded to whole groups of 2x2 pixels, which share a chroma sample.
    ///
    /// - Parameter rect: within `layout.visible`.
    func covered(by rect: PixelRect, of picture: DecodedPicture, layout: PictureLayout) -> PixelRect {
        if layout.isScaled { return rect }
        let origin = layout.content
        let grown = PictureConverter.aligned(rect.moved(x: -origin.x, y: -origin.y), in: picture)
        return grown.moved(x: origin.x, y: origin.y).intersection(layout.visible)
    }

    /// Paints a rectangle of the window.
    ///
    /// - Parameters:
    ///   - rect: a rectangle that `covered` has returned.
    ///   - pixels: the window's first pixel.
    ///   - stride: the distance of lines, in bytes.
    func paint(
        _ rect: PixelRect, of picture: DecodedPicture, layout: PictureLayout,
        into pixels: UnsafeMutablePointer<UInt8>, stride: Int
    ) {
        if rect.isEmpty { return }
        let content = layout.content
        if !layout.isScaled {
            levels.removeAll()
            let part = rect.moved(x: -content.x, y: -content.y)
            return PictureConverter.convert(picture, part, to: pixels + rect.y * stride + rect.x * 4, stride: stride)
        }
        let source = update(to: picture, scale: min(layout.scaleX, layout.scaleY))
        // Leave out the column or row that pads the picture to even sides, as it is not part of the screen; in a halved
        // level it is half a pixel wide.
        let width = source.size.width * layout.picture.width / max(1, picture.size.width)
        let height = source.size.height * layout.picture.height / max(1, picture.size.height)
        ARGBScaleClip(
            source.pixels, Int32(source.stride), Int32(max(1, width)), Int32(max(1, height)),
            pixels + content.y * stride + content.x * 4, Int32(stride),
            Int32(content.width), Int32(content.height),
            Int32(rect.x - content.x), Int32(rect.y - content.y), Int32(rect.width), Int32(rect.height),
            layout.isPixelated ? kFilterNone : kFilterBilinear)
    }

    /// Updates all levels, and returns the smallest one, which is at least as large as needed.
    private func update(to picture: DecodedPicture, scale: Double) -> PixelImage {
        var sizes = [picture.size]
        var left = scale
        while left < 0.5, let last = sizes.last, last.width >= 4, last.height >= 4 {
            sizes.append(PixelSize(width: last.width / 2, height: last.height / 2))
            left *= 2
        }
        if levels.map(\.size) != sizes {
            levels = sizes.map { PixelImage(size: $0) }
            stale = Region(PixelRect(picture.size))
        }
        for rect in stale.rects {
            let rect = PictureConverter.aligned(rect, in: picture)
            PictureConverter.convert(picture, rect, to: levels[0].at(rect.x, rect.y), stride: levels[0].stride)
            var part = rect
            for level in levels.indices.dropFirst() { part = halve(part, from: levels[level - 1], to: levels[level]) }
        }
        stale.removeAll()
        return levels[levels.count - 1]
    }

    private func halve(_ part: PixelRect, from: PixelImage, to: PixelImage) -> PixelRect {
        // Expand to multiples of 8 pixels, as libyuv rounds a remainder differently.
        let grown = part.aligned(to: 8)
        let half = PixelRect(x: grown.x / 2, y: grown.y / 2, width: grown.width / 2, height: grown.height / 2)
            .intersection(PixelRect(to.size))
        if half.isEmpty { return half }
        ARGBScale(
            from.at(half.x * 2, half.y * 2), Int32(from.stride), Int32(half.width * 2), Int32(half.height * 2),
            to.at(half.x, half.y), Int32(to.stride), Int32(half.width), Int32(half.height), kFilterBox)
        return half
    }
}
