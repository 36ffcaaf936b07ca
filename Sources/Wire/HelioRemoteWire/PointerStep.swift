/// `mouseMove`: so far, in pixels of the screen, x to the right and y down. A browser's steps may be fractions.
package struct PointerStep: Hashable, Sendable {
    /// The sums of all steps so far, modulo 2^31 each: 0 ..< 2^31.
    package struct Totals: Hashable, Sendable {
        package var x: UInt32
        package var y: UInt32

        package init(x: UInt32, y: UInt32) {
            self.x = x
            self.y = y
        }
    }

    /// Within ±65535, as `dy`.
    package var dx: Double
    package var dy: Double
    /// `nil` where the sender keeps none.
    package var totals: Totals?

    package init(dx: Double, dy: Double, totals: Totals? = nil) {
        self.dx = dx
        self.dy = dy
        self.totals = totals
    }
}
