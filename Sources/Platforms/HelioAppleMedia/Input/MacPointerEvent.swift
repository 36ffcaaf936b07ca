package import HelioCore

/// A pointer event to post, of one of the kinds that macOS distinguishes.
package struct MacPointerEvent: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case moved
        case dragged(PointerButton)
        case down(PointerButton)
        case up(PointerButton)
    }

    package var kind: Kind
    package var at: DesktopPoint
    /// The distance from the last posted position, in points: `dx` to the right, `dy` downwards.
    package var dx: Double
    package var dy: Double
    /// The click count: 1 for a click, 2 for the second click of a double click, and so on; 0 for a move.
    package var clicks: Int
    package var flags: UInt64

    package init(kind: Kind, at: DesktopPoint, dx: Double = 0, dy: Double = 0, clicks: Int = 0, flags: UInt64 = 0) {
        self.kind = kind
        self.at = at
        self.dx = dx
        self.dy = dy
        self.clicks = clicks
        self.flags = flags
    }
}
