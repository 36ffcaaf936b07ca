package import HelioControlWire
package import HelioCore

/// Maps positions in the picture to pixels of the captured screen, and back (requirement row 65).
package struct CoordinateMapper: Hashable, Sendable {
    package var size: PixelSize
    /// True if the host counts y from the bottom, as unflipped views of macOS do.
    package var flipsY: Bool

    package init(size: PixelSize, flipsY: Bool = false) {
        self.size = size
        self.flipsY = flipsY
    }

    /// The pixel that contains the point, clamped to the size.
    package func pixel(at point: NormalizedPoint) -> (x: Int, y: Int) {
        let y = Self.place(point.y, size.height)
        return (Self.place(point.x, size.width), flipsY ? max(size.height, 1) - 1 - y : y)
    }

    /// The centre of a pixel; `nil` if the pixel is outside the size.
    package func point(atX x: Int, y: Int) -> NormalizedPoint? {
        guard (0..<max(size.width, 0)).contains(x), (0..<max(size.height, 0)).contains(y) else { return nil }
        let row = flipsY ? size.height - 1 - y : y
        return NormalizedPoint(
            x: Float((Double(x) + 0.5) / Double(size.width)), y: Float((Double(row) + 0.5) / Double(size.height)))
    }

    /// The tolerance in pixels for a coordinate that was computed as pixel number divided by size: rounding to 32-bit
    /// floating point can make it up to a thousandth of a pixel too small.
    private static let tolerance = 1.0 / 256

    private static func place(_ coordinate: Float, _ extent: Int) -> Int {
        min(Int(Double(coordinate) * Double(extent) + tolerance), max(extent, 1) - 1).clampedToZero
    }
}

extension Int {
    fileprivate var clampedToZero: Int { Swift.max(self, 0) }
}
