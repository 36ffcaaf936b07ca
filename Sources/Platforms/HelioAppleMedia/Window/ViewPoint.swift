/// A point of a view in the system's coordinates. `ViewShape` is the only place that flips y (requirements, defect 9).
package struct ViewPoint: Sendable, Hashable {
    /// The distance from the view's left edge, in points.
    package var x: Double
    /// The distance in points from the view's top edge if the view is flipped, as all of UIKit's views are; otherwise
    /// from its bottom edge.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The shape of a view, which converts its points to pixels from the top left.
package struct ViewShape: Sendable, Hashable {
    /// The view's height, in points.
    package var height: Double
    /// True if y increases downwards from the top edge.
    package var isFlipped: Bool
    /// The number of pixels per point.
    package var scale: Double

    package init(height: Double, isFlipped: Bool, scale: Double) {
        self.height = height
        self.isFlipped = isFlipped
        self.scale = scale
    }

    /// The maximum pixel coordinate that is reported, which no screen exceeds.
    private static let farthest = 1_000_000.0

    /// Returns the pixel that contains a point, from the top left; `nil` if a coordinate is not finite.
    package func pixel(_ point: ViewPoint) -> (x: Int, y: Int)? {
        guard point.x.isFinite, point.y.isFinite, height.isFinite, scale.isFinite else { return nil }
        func whole(_ value: Double) -> Int { Int(min(Self.farthest, max(-Self.farthest, value.rounded(.down)))) }
        if isFlipped { return (whole(point.x * scale), whole(point.y * scale)) }
        // A point on the bottom edge of a row of pixels belongs to that row, as a point on the top edge does in a
        // flipped view.
        return (whole(point.x * scale), whole((height - point.y) * scale - Self.hair))
    }

    /// Far less than a pixel: subtracted so that the bottom edge of a row belongs to that row in an unflipped view.
    private static let hair = 1e-6
}
