import HelioCore
import HelioGround

/// Events reported on another thread, with a way to wait for them.
final class EventLog<Event: Sendable>: Sendable {
    private let all = ThreadMailbox<[Event]>([])

    func add(_ event: Event) { all.put { $0.append(event) } }

    var events: [Event] { all.withLock { $0 } }

    /// Waits until a condition on the events holds; returns false after the time-out.
    func wait(atMost limit: Duration = .seconds(20), until holds: ([Event]) -> Bool) -> Bool {
        all.take(until: MonotonicClock.now + limit) { holds($0) ? true : nil } ?? false
    }
}
