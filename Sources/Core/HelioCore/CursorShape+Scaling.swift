extension CursorShape {
    /// The shape scaled to another size, with its hot spot; `nil` for a shape without pixels, or with fewer pixels than
    /// its size requires.
    ///
    /// Each pixel is the mean of the source pixels that it covers, weighted by alpha so that no dark rim appears. When
    /// enlarging, source pixels are repeated.
    package func scaled(to target: PixelSize) -> CursorShape? {
        guard size.width > 0, size.height > 0, rgba.count >= size.area * 4, target.width > 0, target.height > 0 else {
            return nil
        }
        if target == size { return self }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(target.area * 4)
        for y in 0..<target.height {
            let rows = Self.sources(of: y, from: size.height, to: target.height)
            for x in 0..<target.width {
                let columns = Self.sources(of: x, from: size.width, to: target.width)
                var sum = (r: 0, g: 0, b: 0, a: 0)
                for row in rows {
                    for column in columns {
                        let at = (row * size.width + column) * 4
                        let alpha = Int(rgba[at + 3])
                        sum.r += Int(rgba[at]) * alpha
                        sum.g += Int(rgba[at + 1]) * alpha
                        sum.b += Int(rgba[at + 2]) * alpha
                        sum.a += alpha
                    }
                }
                let weight = max(1, sum.a)
                pixels.append(UInt8(sum.r / weight))
                pixels.append(UInt8(sum.g / weight))
                pixels.append(UInt8(sum.b / weight))
                pixels.append(UInt8(sum.a / (rows.count * columns.count)))
            }
        }
        return CursorShape(
            size: target, hotspotX: min(target.width - 1, max(0, hotspotX * target.width / size.width)),
            hotspotY: min(target.height - 1, max(0, hotspotY * target.height / size.height)), rgba: pixels)
    }

    /// The shape adapted for messages: no side longer than `side`, the hot spot inside, and exactly as many pixels as
    /// its size requires. A shape without pixels, which hides the pointer, becomes one transparent pixel; `nil` if
    /// there are fewer pixels than its size requires.
    package func fitted(within side: Int) -> CursorShape? {
        if size.width <= 0 || size.height <= 0 {
            return CursorShape(size: PixelSize(width: 1, height: 1), hotspotX: 0, hotspotY: 0, rgba: [0, 0, 0, 0])
        }
        let longest = max(size.width, size.height)
        var target = size
        if longest > side {
            target = PixelSize(
                width: max(1, size.width * side / longest), height: max(1, size.height * side / longest))
        }
        guard var fitted = scaled(to: target) else { return nil }
        if fitted.rgba.count > target.area * 4 { fitted.rgba.removeLast(fitted.rgba.count - target.area * 4) }
        fitted.hotspotX = min(target.width - 1, max(0, fitted.hotspotX))
        fitted.hotspotY = min(target.height - 1, max(0, fitted.hotspotY))
        return fitted
    }

    private static func sources(of place: Int, from: Int, to: Int) -> Range<Int> {
        let first = place * from / to
        return first..<max(first + 1, (place + 1) * from / to)
    }
}
