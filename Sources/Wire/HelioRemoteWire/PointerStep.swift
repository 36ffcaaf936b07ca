/// A relative pointer movement (`mouseMove`), in pixels of the screen, x to the right and y down. A browser's values
/// may be fractional.
package struct PointerStep: Hashable, Sendable {
    /// The sums of all steps so far, each modulo 2^31, by which the host recovers lost steps.
    package struct Totals: Hashable, Sendable {
        package var x: UInt32
        package var y: UInt32
        /// The step's serial number, from the same counter as that of `mouseTo`, up to 2^53 - 1. A step with a lower
        /// number than the latest is ignored, since the latest totals include it. `nil` if the sender does not number
        /// moves.
        package var order: UInt64?

        package init(x: UInt32, y: UInt32, order: UInt64? = nil) {
            self.x = x
            self.y = y
            self.order = order
        }
    }

    /// The distance to the right in pixels, within ±65535; `dy` is the distance downwards, in the same range.
    package var dx: Double
    package var dy: Double
    /// The totals including this step; `nil` if the sender does not count them.
    package var totals: Totals?

    package init(dx: Double, dy: Double, totals: Totals? = nil) {
        self.dx = dx
        self.dy = dy
        self.totals = totals
    }
}
