package import HelioCore

/// Counts the clicks of a double or triple click: presses of the same button that are close in time and place. macOS
/// expects that number in a posted event.
package struct ClickCounter: Sendable {
    /// The maximum distance from the previous click in either axis, in points.
    package static let distance = 4.0

    private let interval: Duration
    private var last: (button: PointerButton, at: DesktopPoint, time: Instant)?
    private var count = 0

    /// - Parameter interval: the maximum time between two clicks, from the user's settings; 0.5 s by default on macOS.
    package init(interval: Duration = .milliseconds(500)) { self.interval = interval }

    /// Counts a press of a button. Returns the click count for its event, from 1.
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

    /// Returns the click count for the event of a button's release: the count of its press, or 1 if another button was
    /// pressed last.
    package func up(_ button: PointerButton) -> Int { last?.button == button ? max(1, count) : 1 }
}
