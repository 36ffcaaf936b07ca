/// A point of a view in the system's coordinates. Only `ViewShape` turns y around (defect 9).
package struct ViewPoint: Sendable, Hashable {
    /// Points from the view's left edge.
    package var x: Double
    /// Points from the view's top edge if it is flipped, as all of UIKit's are, otherwise from its bottom edge.
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// The shape of a view, which converts its points to pixels from the top left.
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

    /// The greatest coordinate of a pixel that is reported: no screen reaches beyond.
    private static let farthest = 1_000_000.0

    /// The pixel that a point lies in, from the top left; `nil` for a point that is no number.
    package func pixel(_ point: ViewPoint) -> (x: Int, y: Int)? {
        guard point.x.isFinite, point.y.isFinite, height.isFinite, scale.isFinite else { return nil }
        func whole(_ value: Double) -> Int { Int(min(Self.farthest, max(-Self.farthest, value.rounded(.down)))) }
        if isFlipped { return (whole(point.x * scale), whole(point.y * scale)) }
        // Points on the bottom edge of a pixel's row belong to it, like those on the top edge in a flipped view.
        return (whole(point.x * scale), whole((height - point.y) * scale - Self.hair))
    }

    /// Less than any pixel: makes the lower edge of an unflipped row belong to that row.
    private static let hair = 1e-6
}
