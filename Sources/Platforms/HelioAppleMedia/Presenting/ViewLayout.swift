package import HelioCore
package import HelioWindow

/// The position of a picture, rotated or not, in a view; maps coordinates between the two.
package struct ViewLayout: Sendable, Hashable {
    /// The layout of the rotated picture, in the view's pixels.
    package let turned: PictureLayout
    package let turn: QuarterTurn
    package let picture: PixelSize

    package init(
        picture: PixelSize, view: PixelSize, mode: ScaleMode, turn: QuarterTurn = .none, scrollX: Int = 0,
        scrollY: Int = 0, zoom: ViewZoom = .none
    ) {
        self.picture = picture
        self.turn = turn
        turned = PictureLayout(
            picture: turn.size(of: picture), window: view, mode: mode, scrollX: scrollX, scrollY: scrollY
        ).zoomed(by: zoom.scale, dx: zoom.dx, dy: zoom.dy)
    }

    package var view: PixelSize { turned.window }
    /// The corners of the picture, for the shader.
    package var quad: Quad { Quad(turned.content, in: view, turn: turn) }
    /// True for nearest-neighbour scaling, false for linear filtering.
    package var isPixelated: Bool { turned.isPixelated }

    /// Converts a pixel of the view to normalised coordinates of the picture, 0...1; `nil` outside the picture.
    package func normalized(x: Int, y: Int) -> (x: Double, y: Double)? {
        turned.normalized(x: x, y: y).map { turn.source(ofX: $0.x, y: $0.y) }
    }

    /// Like `normalized`, but moves points outside the picture to the nearest edge, for drags that leave the picture.
    package func clampedNormalized(x: Int, y: Int) -> (x: Double, y: Double) {
        let point = turned.clampedNormalized(x: x, y: y)
        return turn.source(ofX: point.x, y: point.y)
    }

    /// Returns the view's pixel that shows the centre of a pixel of the picture.
    package func viewPoint(ofX x: Int, y: Int) -> (x: Int, y: Int) {
        guard picture.area > 0 else { return (turned.content.x, turned.content.y) }
        let point = turn.target(
            ofX: (Double(x) + 0.5) / Double(picture.width), y: (Double(y) + 0.5) / Double(picture.height))
        return (
            x: turned.content.x + Int((point.x * Double(turned.content.width)).rounded(.down)),
            y: turned.content.y + Int((point.y * Double(turned.content.height)).rounded(.down))
        )
    }

    /// The number of the view's pixels per pixel of the rotated picture, in either axis.
    package var scale: (x: Double, y: Double) { (turned.scaleX, turned.scaleY) }
}
