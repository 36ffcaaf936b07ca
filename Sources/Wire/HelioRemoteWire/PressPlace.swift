package import HelioControlWire

/// The place at which a button goes down or up: a point in the picture, and its turn among the moves.
///
/// Buttons are sent on another channel than moves, so that either may overtake the other.
package struct PressPlace: Hashable, Sendable {
    package var point: NormalizedPoint
    /// The turn, `n` on the wire: counts up together with `mouseTo`'s, to 2^53 - 1. `nil` if the sender does not count.
    package var order: UInt64?

    package init(_ point: NormalizedPoint, order: UInt64? = nil) {
        self.point = point
        self.order = order
    }
}
