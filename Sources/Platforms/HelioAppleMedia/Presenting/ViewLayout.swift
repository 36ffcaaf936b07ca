package import HelioCore
package import HelioWindow

/// The place of a picture in a view, turned or not: the one place that maps between the two.
package struct ViewLayout: Sendable, Hashable {
    /// The layout of the turned picture, in the view's pixels.
    package let turned: PictureLayout
    package let turn: QuarterTurn
    package let picture: PixelSize

    package init(
        picture: PixelSize, view: PixelSize, mode: ScaleMode, turn: QuarterTurn = .none, scrollX: Int = 0,
        scrollY: Int = 0
    ) {
        self.picture = picture
        self.turn = turn
        turned = PictureLayout(
            picture: turn.size(of: picture), window: view, mode: mode, scrollX: scrollX, scrollY: scrollY)
    }

    package var view: PixelSize { turned.window }
    /// The corners of the picture.
    package var quad: Quad { Quad(turned.content, in: view, turn: turn) }
    /// True if pixels are repeated and not blended.
    package var isPixelated: Bool { turned.isPixelated }

    /// The picture's fraction under a pixel of the view; `nil` outside the picture.
    package func normalized(x: Int, y: Int) -> (x: Double, y: Double)? {
        turned.normalized(x: x, y: y).map { turn.source(ofX: $0.x, y: $0.y) }
    }

    /// Like `normalized`, with points outside moved to the nearest edge: for drags that leave the picture.
    package func clampedNormalized(x: Int, y: Int) -> (x: Double, y: Double) {
        let point = turned.clampedNormalized(x: x, y: y)
        return turn.source(ofX: point.x, y: point.y)
    }

    /// The view's pixel at which the middle of a pixel of the picture is seen.
    package func viewPoint(ofX x: Int, y: Int) -> (x: Int, y: Int) {
        guard picture.area > 0 else { return (turned.content.x, turned.content.y) }
        let point = turn.target(
            ofX: (Double(x) + 0.5) / Double(picture.width), y: (Double(y) + 0.5) / Double(picture.height))
        return (
            x: turned.content.x + Int((point.x * Double(turned.content.width)).rounded(.down)),
            y: turned.content.y + Int((point.y * Double(turned.content.height)).rounded(.down))
        )
    }

    /// The view's pixels for each pixel of the turned picture.
    package var scale: (x: Double, y: Double) { (turned.scaleX, turned.scaleY) }
}
