package import HelioCore

/// A queue of the window events that the owner has not taken yet.
///
/// Consecutive pointer moves are merged, as are scrolls; a touch's moves are kept, as each is a point of a drawn line.
/// If the queue reaches `limit`, all events are replaced by `focusLost`, so that no key or button stays down at the
/// host.
package struct WindowEventQueue: Sendable {
    package static let limit = 1024

    private var events: [WindowEvent] = []
    /// The number of events dropped at the limit.
    package private(set) var dropped = 0

    package init() {}

    package var isEmpty: Bool { events.isEmpty }

    package mutating func append(_ event: WindowEvent) {
        if let last = events.last, let both = Self.joined(last, event) {
            events[events.count - 1] = both
            return
        }
        if events.count >= Self.limit {
            dropped += events.count
            events = [.input(.focusLost)]
        }
        events.append(event)
    }

    package mutating func takeAll() -> [WindowEvent] {
        defer { events = [] }
        return events
    }

    private static func joined(_ first: WindowEvent, _ second: WindowEvent) -> WindowEvent? {
        switch (first, second) {
        case (.input(.pointerMoved), .input(.pointerMoved)), (.resized, .resized), (.woken, .woken): second
        case (.input(.pointerMovedBy(let x, let y)), .input(.pointerMovedBy(let dx, let dy))):
            .input(.pointerMovedBy(dx: x &+ dx, dy: y &+ dy))
        case (.input(.scrolled(let x, let y)), .input(.scrolled(let dx, let dy))):
            .input(.scrolled(dx: x &+ dx, dy: y &+ dy))
        default: nil
        }
    }
}
