import HelioCore
import HelioGround

/// What another thread has told, and a way to wait for it.
final class EventLog<Event: Sendable>: Sendable {
    private let all = ThreadMailbox<[Event]>([])

    func add(_ event: Event) { all.put { $0.append(event) } }

    var events: [Event] { all.withLock { $0 } }

    /// Waits until something holds of the events; false where it does not in time.
    func wait(atMost limit: Duration = .seconds(20), until holds: ([Event]) -> Bool) -> Bool {
        all.take(until: MonotonicClock.now + limit) { holds($0) ? true : nil } ?? false
    }
}
