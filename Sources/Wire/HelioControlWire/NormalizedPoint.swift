/// A point in the picture: 0,0 is its top left corner, 1,1 its bottom right one (requirement row 63). Always finite and
/// inside.
public struct NormalizedPoint: Hashable, Sendable {
    /// The distance from the left edge, 0 ... 1.
    public let x: Float
    /// The distance from the upper edge, 0 ... 1.
    public let y: Float

    /// Makes a point; `nil` if either coordinate is NaN or outside 0 ... 1.
    public init?(x: Float, y: Float) {
        guard (0...1).contains(x), (0...1).contains(y) else { return nil }
        self.x = x
        self.y = y
    }

    /// Makes a point, clamped to the nearest edge if outside; `nil` if either coordinate is NaN or infinite.
    public init?(clampingX x: Float, y: Float) {
        guard x.isFinite, y.isFinite else { return nil }
        self.init(x: min(max(x, 0), 1), y: min(max(y, 0), 1))
    }

    /// The middle of the picture.
    public static let center = NormalizedPoint(uncheckedX: 0.5, y: 0.5)

    private init(uncheckedX x: Float, y: Float) {
        self.x = x
        self.y = y
    }
}
