package import HelioCore

/// A rectangle as a capture stream reports it: in floating point and unchecked, so it may be infinite, NaN, or of
/// negative size.
package struct FrameRect: Sendable, Hashable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Returns the pixels that the rectangle touches within `bounds`; empty if it is outside. Returns `nil` if it is
    /// not finite, or of negative size.
    package func pixels(within bounds: PixelRect) -> PixelRect? {
        guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width >= 0, height >= 0 else { return nil }
        if width == 0 || height == 0 { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
        // Coordinates from a frame's attachment may exceed `Int`, so clamp them before the conversion.
        func cut(_ n: Double, _ low: Int, _ high: Int) -> Double { min(Double(high), max(Double(low), n)) }
        let x0 = Int(cut(x, bounds.x, bounds.maxX).rounded(.down))
        let y0 = Int(cut(y, bounds.y, bounds.maxY).rounded(.down))
        let x1 = Int(cut(x + width, bounds.x, bounds.maxX).rounded(.up))
        let y1 = Int(cut(y + height, bounds.y, bounds.maxY).rounded(.up))
        return PixelRect(x: x0, y: y0, width: x1 - x0, height: y1 - y0)
    }
}
