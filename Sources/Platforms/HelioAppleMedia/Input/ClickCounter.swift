package import HelioCore

/// Counts clicks that belong together: of the same button, soon after each other and near each other. macOS leaves the
/// count to the poster of the event.
package struct ClickCounter: Sendable {
    /// The greatest distance from the click before, in points.
    package static let distance = 4.0

    private let interval: Duration
    private var last: (button: PointerButton, at: DesktopPoint, time: Instant)?
    private var count = 0

    /// - Parameter interval: the longest time between two clicks, from the person's settings; half a second by default
    ///   on macOS.
    package init(interval: Duration = .milliseconds(500)) { self.interval = interval }

    /// Counts a press of a button. Returns its number among the clicks, from 1.
    package mutating func down(_ button: PointerButton, at place: DesktopPoint, now: Instant) -> Int {
        if let last, last.button == button, now >= last.time, now - last.time <= interval,
            abs(place.x - last.at.x) <= Self.distance, abs(place.y - last.at.y) <= Self.distance
        {
            count = min(count + 1, 1000)
        } else {
            count = 1
        }
        last = (button, place, now)
        return count
    }

    /// The click count for the event of the button's release: that of its press, or 1 if another button was pressed
    /// last.
    package func up(_ button: PointerButton) -> Int { last?.button == button ? max(1, count) : 1 }
}
