import HelioCore
import HelioLocalSocket
import Synchronization

/// What another thread has told, and a way to wait for it.
final class EventLog<Event: Sendable>: Sendable {
    private let all = Mutex<[Event]>([])
    private let news: WakePipe

    init() throws { news = try WakePipe() }

    func add(_ event: Event) {
        all.withLock { $0.append(event) }
        news.signal()
    }

    var events: [Event] { all.withLock { $0 } }

    /// Waits until something holds of the events; false where it does not in time.
    func wait(atMost limit: Duration = .seconds(20), until holds: ([Event]) -> Bool) -> Bool {
        let end = MachineClock.now + limit
        while !holds(events) {
            let left = end - MachineClock.now
            guard left > .zero else { return false }
            _ = news.wait(within: left)
            news.drain()
        }
        return true
    }
}
