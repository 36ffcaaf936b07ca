/// Converts fractional movements to whole counts, and carries the remainder over to the next movement.
struct CountRemainder: Sendable, Hashable {
    private var x = 0.0
    private var y = 0.0

    /// The maximum movement per call in either axis, in counts: more than a user can make.
    private static let largest = 100_000.0

    /// Adds a movement, and returns the whole counts so far; `nil` if there are none, or a value is not finite.
    mutating func take(x dx: Double, y dy: Double) -> (dx: Int, dy: Int)? {
        guard dx.isFinite, dy.isFinite else { return nil }
        x = min(Self.largest, max(-Self.largest, x + dx))
        y = min(Self.largest, max(-Self.largest, y + dy))
        let (wholeX, wholeY) = (x.rounded(.towardZero), y.rounded(.towardZero))
        guard wholeX != 0 || wholeY != 0 else { return nil }
        x -= wholeX
        y -= wholeY
        return (Int(wholeX), Int(wholeY))
    }

    mutating func reset() { self = Self() }
}
