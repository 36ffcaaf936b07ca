package import HelioCore

/// The layout of a picture in a window, in pixels; maps coordinates between the two.
package struct PictureLayout: Sendable, Hashable {
    package let picture: PixelSize
    package let window: PixelSize
    package let mode: ScaleMode
    /// The picture's rectangle in the window. It starts at negative coordinates if a larger picture is scrolled.
    package let content: PixelRect

    /// Makes a layout.
    ///
    /// - Parameters:
    ///   - scrollX: the picture's column at the window's left edge if the picture is wider than the window (`actual`
    ///     only); clamped to the picture and rounded down to an even number, as 4:2:0 requires.
    ///   - scrollY: the picture's line at the window's top edge, likewise.
    package init(picture: PixelSize, window: PixelSize, mode: ScaleMode, scrollX: Int = 0, scrollY: Int = 0) {
        self.picture = picture
        self.window = window
        self.mode = mode
        let size = Self.scaledSize(of: picture, in: window, mode: mode)
        content = PixelRect(
            x: Self.origin(of: size.width, in: window.width, scroll: scrollX),
            y: Self.origin(of: size.height, in: window.height, scroll: scrollY),
            width: size.width, height: size.height)
    }

    private init(_ layout: PictureLayout, content: PixelRect) {
        (picture, window, mode) = (layout.picture, layout.window, layout.mode)
        self.content = content
    }

    /// Returns the layout magnified about the window's centre, and then moved by `dx` and `dy`, in the window's pixels.
    package func zoomed(by scale: Double, dx: Double, dy: Double) -> PictureLayout {
        guard scale.isFinite, dx.isFinite, dy.isFinite, (scale, dx, dy) != (1, 0, 0) else { return self }
        func place(_ position: Int, in length: Int, _ offset: Double) -> Int {
            let middle = Double(length) / 2
            return Self.bounded((Double(position) - middle) * scale + middle + offset)
        }
        let (x, y) = (place(content.x, in: window.width, dx), place(content.y, in: window.height, dy))
        return PictureLayout(
            self,
            content: PixelRect(
                x: x, y: y, width: max(1, place(content.maxX, in: window.width, dx) - x),
                height: max(1, place(content.maxY, in: window.height, dy) - y)))
    }

    private static func bounded(_ value: Double) -> Int { Int(min(1_000_000, max(-1_000_000, value.rounded()))) }

    package var isScaled: Bool { content.width != picture.width || content.height != picture.height }
    /// The number of the window's pixels per pixel of the picture, in either axis.
    package var scaleX: Double { Double(content.width) / Double(max(1, picture.width)) }
    package var scaleY: Double { Double(content.height) / Double(max(1, picture.height)) }
    /// True for nearest-neighbour scaling, false for linear filtering.
    package var isPixelated: Bool { mode == .integer && content.width > picture.width }
    /// The part of the window that shows the picture.
    package var visible: PixelRect { content.intersection(PixelRect(window)) }

    /// Returns the window's pixels that depend on `rect` of the picture, clipped to the window.
    package func windowRect(of rect: PixelRect) -> PixelRect {
        if !isScaled {
            return rect.moved(x: content.x, y: content.y)
                .intersection(visible)
        }
        // Scaling uses filters: a window pixel depends on neighbours at a distance of up to two source pixels, or up to
        // twice the number of source pixels that a window pixel covers.
        let x = Self.span(rect.x, rect.maxX, from: picture.width, to: content.width)
        let y = Self.span(rect.y, rect.maxY, from: picture.height, to: content.height)
        return PixelRect(
            x: content.x + x.lowerBound, y: content.y + y.lowerBound, width: x.count, height: y.count
        ).intersection(visible)
    }

    /// Converts the centre of a window's pixel to normalised coordinates of the picture, 0 ..< 1; `nil` outside the
    /// picture.
    package func normalized(x: Int, y: Int) -> (x: Double, y: Double)? {
        guard x >= content.x, y >= content.y, x < content.maxX, y < content.maxY else { return nil }
        return clampedNormalized(x: x, y: y)
    }

    /// Like `normalized`, but clamps points outside the picture to the nearest edge, for drags that leave the picture.
    package func clampedNormalized(x: Int, y: Int) -> (x: Double, y: Double) {
        (
            x: Self.fraction(x - content.x, of: content.width),
            y: Self.fraction(y - content.y, of: content.height)
        )
    }

    /// Returns the window's pixel at a pixel of the picture, such as the host's pointer.
    package func windowPoint(ofX x: Int, y: Int) -> (x: Int, y: Int) {
        (
            x: content.x + Int((Double(x) * scaleX).rounded(.down)),
            y: content.y + Int((Double(y) * scaleY).rounded(.down))
        )
    }

    private static func fraction(_ position: Int, of length: Int) -> Double {
        (Double(min(max(0, position), max(0, length - 1))) + 0.5) / Double(max(1, length))
    }

    private static func span(_ lower: Int, _ upper: Int, from source: Int, to target: Int) -> Range<Int> {
        let margin = max(2, 2 * source / max(1, target))
        let start = max(0, (lower - margin) * target / max(1, source) - 1)
        let end = min(target, (upper + margin) * target / max(1, source) + 2)
        return start..<max(start, end)
    }

    private static func origin(of length: Int, in window: Int, scroll: Int) -> Int {
        if length <= window { return (window - length) / 2 }
        return -(min(max(0, scroll), length - window + 1) & ~1)
    }

    private static func scaledSize(of picture: PixelSize, in window: PixelSize, mode: ScaleMode) -> PixelSize {
        guard picture.area > 0, window.area > 0 else { return picture }
        switch mode {
        case .actual:
            return picture
        case .fit:
            // Compare the aspect ratios without division, to avoid rounding.
            if window.width * picture.height <= window.height * picture.width {
                let height = (picture.height * window.width + picture.width / 2) / picture.width
                return PixelSize(width: window.width, height: min(window.height, max(1, height)))
            }
            let width = (picture.width * window.height + picture.height / 2) / picture.height
            return PixelSize(width: min(window.width, max(1, width)), height: window.height)
        case .integer:
            let factor = min(window.width / picture.width, window.height / picture.height)
            if factor >= 1 {
                return PixelSize(width: picture.width * factor, height: picture.height * factor)
            }
            let divisor = max(
                (picture.width + window.width - 1) / window.width,
                (picture.height + window.height - 1) / window.height)
            return PixelSize(width: max(1, picture.width / divisor), height: max(1, picture.height / divisor))
        }
    }
}
