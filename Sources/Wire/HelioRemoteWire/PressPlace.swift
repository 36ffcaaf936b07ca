public import HelioControlWire

/// The position of a button press or release: a point in the picture, and its order relative to pointer moves.
///
/// Buttons and moves are sent on different channels, so they may arrive in a different order than they were sent.
public struct PressPlace: Hashable, Sendable {
    /// The point in the picture.
    public var point: NormalizedPoint
    /// The serial number, `n` on the wire, from the same counter as that of `mouseTo`, up to 2^53 - 1. `nil` if the
    /// sender does not number moves.
    public var order: UInt64?

    /// Makes a position of a press or release.
    public init(_ point: NormalizedPoint, order: UInt64? = nil) {
        self.point = point
        self.order = order
    }
}
