/// A point of a view as the system tells it, and the pixel that it is: the one place where y may be turned (defect 9).
package struct ViewPoint: Sendable, Hashable {
    /// Points from the view's left edge.
    package var x: Double
    /// Points from its top edge if it is flipped, as all of UIKit's are, else from its bottom edge.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The shape of a view: how its points become pixels from the top left.
package struct ViewShape: Sendable, Hashable {
    /// The height in points.
    package var height: Double
    /// True if y counts from the top.
    package var isFlipped: Bool
    /// Pixels for each point.
    package var scale: Double

    package init(height: Double, isFlipped: Bool, scale: Double) {
        self.height = height
        self.isFlipped = isFlipped
        self.scale = scale
    }

    /// The farthest pixel that is told: what lies beyond is no place of a screen.
    private static let farthest = 1_000_000.0

    /// The pixel that a point lies in, from the top left; `nil` for a point that is no number.
    package func pixel(_ point: ViewPoint) -> (x: Int, y: Int)? {
        guard point.x.isFinite, point.y.isFinite, height.isFinite, scale.isFinite else { return nil }
        func whole(_ value: Double) -> Int { Int(min(Self.farthest, max(-Self.farthest, value.rounded(.down)))) }
        if isFlipped { return (whole(point.x * scale), whole(point.y * scale)) }
        // Points on the bottom edge of a pixel's row belong to it, as those on the top edge do where y counts from there.
        return (whole(point.x * scale), whole((height - point.y) * scale - Self.hair))
    }

    /// Less than any pixel: what makes the upper edge of an unflipped row belong to the row below it.
    private static let hair = 1e-6
}
