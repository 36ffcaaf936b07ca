/// Converts scroll distances, in 1/120 of a detent, to whole pixels, and keeps the remainder.
package struct ScrollRemainder: Sendable {
    /// The pixels per detent: about three lines.
    package static let pixelsPerDetent = 30
    /// The maximum number of detents per call, to bound hostile values.
    package static let mostDetents = 100

    private var rest = 0

    package init() {}

    package mutating func pixels(_ delta: Int) -> Int32 {
        let most = 120 * Self.mostDetents
        let bounded = min(most, max(-most, delta))
        // A change of direction discards the remainder of the other direction.
        if (rest < 0) != (bounded < 0), bounded != 0 { rest = 0 }
        rest += bounded * Self.pixelsPerDetent
        let whole = rest / 120
        rest -= whole * 120
        return Int32(whole)
    }
}
