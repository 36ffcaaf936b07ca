package import HelioControlWire

/// Where a button goes down or up: a place in the picture, and its turn among the moves.
///
/// Buttons are told by another channel than moves, so that either may overtake the other.
package struct PressPlace: Hashable, Sendable {
    package var point: NormalizedPoint
    /// `n` on the wire: counts up together with `mouseTo`'s, to 2^53 - 1. `nil` where the sender does not count.
    package var order: UInt64?

    package init(_ point: NormalizedPoint, order: UInt64? = nil) {
        self.point = point
        self.order = order
    }
}
