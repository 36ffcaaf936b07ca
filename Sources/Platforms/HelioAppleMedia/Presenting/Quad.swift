package import HelioCore

/// The four corners of a rectangle, as a triangle strip for a shader (requirement row 55).
package struct Quad: Sendable, Hashable {
    /// The corners in the order of a strip: top left, bottom left, top right, bottom right on the screen. Each has the
    /// position (x, y) in Metal's device coordinates, −1 ... 1 with y upwards, and the texture coordinates (u, v), 0
    /// ... 1 with v downwards.
    package let corners: [SIMD4<Float>]

    /// Makes the quad that covers `rect` of a window, both in pixels from the top left.
    package init(_ rect: PixelRect, in window: PixelSize, turn: QuarterTurn = .none) {
        let (width, height) = (Double(max(1, window.width)), Double(max(1, window.height)))
        corners = [(0, 0), (0, 1), (1, 0), (1, 1)].map { (right: Int, down: Int) in
            let x = Double(rect.x + right * rect.width) / width
            let y = Double(rect.y + down * rect.height) / height
            let texture = turn.source(ofX: Double(right), y: Double(down))
            return SIMD4(Float(2 * x - 1), Float(1 - 2 * y), Float(texture.x), Float(texture.y))
        }
    }
}
