/// A point on the desktop of macOS, in points. The origin is the main display's top left corner, y increases downwards,
/// and displays left of or above the main one have negative coordinates. `CGEvent` uses the same coordinates; in
/// `NSView` and `NSScreen`, y increases upwards (requirements, defect 9).
package struct DesktopPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Makes the centre of an AppKit rectangle, whose y increases upwards from the lower edge of the primary display.
    ///
    /// - Parameter primaryHeight: the height of the primary display, in points.
    package init(middleOf rect: FrameRect, primaryHeight: Double) {
        self.init(x: rect.x + rect.width / 2, y: primaryHeight - (rect.y + rect.height / 2))
    }
}
