import HelioCore

extension PlanarPicture {
    /// Returns the rectangles of this picture that depend on parts of the screen, aligned to macroblocks; the whole
    /// picture if they need more pixels of the screen than there are.
    ///
    /// - Parameter part: the parts, in pixels of the screen.
    func rects(dependingOn part: Region) -> [PixelRect] {
        var changed = Region()
        if let scaler {
            for rect in part.rects { changed.add(scaler.target(of: rect)) }
        } else {
            changed = part
        }
        let whole = PixelRect(size)
        let rects = changed.aligned(to: 16, within: whole).rects
        let taken = rects.reduce(0) { $0 + (scaler?.source(of: $1) ?? $1).area }
        return taken > sourceSize.area ? [whole] : rects
    }
}
