/// The magnification of a picture in its view, by the user's fingers: about the view's centre, then moved. It changes
/// the corners that are drawn and not the view, so that a magnified picture has the view's full resolution.
package struct ViewZoom: Sendable, Hashable {
    package var scale: Double
    /// The movement in the view's pixels, to the right and downwards.
    package var dx: Double
    package var dy: Double

    package init(scale: Double, dx: Double, dy: Double) {
        self.scale = scale
        self.dx = dx
        self.dy = dy
    }

    package static let none = ViewZoom(scale: 1, dx: 0, dy: 0)
}
