/// Turns movements of any fraction into whole counts, and keeps what is left over for the next.
struct CountRemainder: Sendable, Hashable {
    private var x = 0.0
    private var y = 0.0

    /// The largest step: what is beyond is no movement of a hand.
    private static let largest = 100_000.0

    /// The whole counts that are due; `nil` for none, and for what is no number.
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
