/// A place on the desktop of macOS in points: the origin is the main display's top left corner, y goes down, and
/// displays left of or above it have negative places. `CGEvent` uses the same coordinates; `NSView` and `NSScreen`
/// count y up (defect 9).
package struct DesktopPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Makes the middle of an AppKit rectangle, whose y counts up from the lower edge of the primary display.
    ///
    /// - Parameter primaryHeight: the height of that display, in points.
    package init(middleOf rect: FrameRect, primaryHeight: Double) {
        self.init(x: rect.x + rect.width / 2, y: primaryHeight - (rect.y + rect.height / 2))
    }
}
