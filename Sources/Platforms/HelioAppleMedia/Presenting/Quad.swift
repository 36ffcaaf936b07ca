package import HelioCore

/// Four corners of a triangle strip, as a shader takes them (row 55).
package struct Quad: Sendable, Hashable {
    /// The position (x, y) in Metal's device coordinates, −1 ... 1 with y up; then the texture's (u, v), 0 ... 1 with
    /// v down. In the order of a strip: top left, bottom left, top right, bottom right as seen.
    package let corners: [SIMD4<Float>]

    /// The quad that covers `rect` of a window, both in pixels from the top left.
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
