/// A step of the pointer (`mouseMove`), in pixels of the screen, x to the right and y down. A browser's steps may be
/// fractions.
package struct PointerStep: Hashable, Sendable {
    /// The sums of all steps so far, modulo 2^31 each: 0 ..< 2^31.
    package struct Totals: Hashable, Sendable {
        package var x: UInt32
        package var y: UInt32
        /// The place among the moves: counts up together with `mouseTo`'s, to 2^53 - 1; what is older than the last is
        /// in that one's sums already. `nil` if the sender does not count.
        package var order: UInt64?

        package init(x: UInt32, y: UInt32, order: UInt64? = nil) {
            self.x = x
            self.y = y
            self.order = order
        }
    }

    /// The step to the right, within ±65535, as `dy`.
    package var dx: Double
    package var dy: Double
    /// The totals; `nil` if the sender keeps none.
    package var totals: Totals?

    package init(dx: Double, dy: Double, totals: Totals? = nil) {
        self.dx = dx
        self.dy = dy
        self.totals = totals
    }
}
