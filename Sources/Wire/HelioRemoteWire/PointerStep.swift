/// A relative pointer movement (`mouseMove`), in pixels of the screen, x to the right and y down. A browser's values
/// may be fractional.
public struct PointerStep: Hashable, Sendable {
    /// The sums of all steps so far, each modulo 2^31, by which the host recovers lost steps.
    public struct Totals: Hashable, Sendable {
        /// The sum of the steps to the right, in pixels.
        public var x: UInt32
        /// The sum of the steps downwards, in pixels.
        public var y: UInt32
        /// The step's serial number, from the same counter as that of `mouseTo`, up to 2^53 - 1. A step with a lower
        /// number than the latest is ignored, since the latest totals include it. `nil` if the sender does not number
        /// moves.
        public var order: UInt64?

        /// Makes totals, each modulo 2^31.
        public init(x: UInt32, y: UInt32, order: UInt64? = nil) {
            self.x = x
            self.y = y
            self.order = order
        }
    }

    /// The distance to the right in pixels, within ±65535.
    public var dx: Double
    /// The distance downwards in pixels, within ±65535.
    public var dy: Double
    /// The totals including this step; `nil` if the sender does not count them.
    public var totals: Totals?

    /// Makes a step, in pixels.
    public init(dx: Double, dy: Double, totals: Totals? = nil) {
        self.dx = dx
        self.dy = dy
        self.totals = totals
    }
}
