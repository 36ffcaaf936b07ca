/// A step of the pointer (`mouseMove`), in pixels of the screen, x to the right and y down. A browser's steps may be
/// fractions.
package struct PointerStep: Hashable, Sendable {
    /// The totals of all steps so far, each modulo 2^31: 0 ..< 2^31.
    package struct Totals: Hashable, Sendable {
        package var x: UInt32
        package var y: UInt32
        /// The step's number among all moves, counted together with those of `mouseTo`, up to 2^53 - 1. A step older
        /// than the latest is ignored, since the totals of the latest include it. `nil` if the sender does not count.
        package var order: UInt64?

        package init(x: UInt32, y: UInt32, order: UInt64? = nil) {
            self.x = x
            self.y = y
            self.order = order
        }
    }

    /// The step to the right, within ±65535, like `dy`.
    package var dx: Double
    package var dy: Double
    /// The totals; `nil` if the sender has none.
    package var totals: Totals?

    package init(dx: Double, dy: Double, totals: Totals? = nil) {
        self.dx = dx
        self.dy = dy
        self.totals = totals
    }
}
