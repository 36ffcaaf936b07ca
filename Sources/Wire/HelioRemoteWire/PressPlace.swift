package import HelioControlWire

/// The place of a button press or release: a point in the picture, and its number among the moves.
///
/// Buttons are sent on another channel than moves, so that either may overtake the other.
package struct PressPlace: Hashable, Sendable {
    package var point: NormalizedPoint
    /// The number among all moves, `n` on the wire, counted together with those of `mouseTo`, up to 2^53 - 1. `nil` if
    /// the sender does not count.
    package var order: UInt64?

    package init(_ point: NormalizedPoint, order: UInt64? = nil) {
        self.point = point
        self.order = order
    }
}
