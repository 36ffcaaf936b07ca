/// A place on the desktop of macOS in points: the origin is the main display's top left corner, y goes down, displays left
/// of or above it have negative places. `CGEvent` counts so; `NSView` and `NSScreen` count y up (defect 9).
package struct DesktopPoint: Sendable, Hashable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}
