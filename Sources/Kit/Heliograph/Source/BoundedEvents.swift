internal import HelioCore
internal import HelioGround
private import Synchronization

/// Forwards events that unauthenticated peers can cause at will, such as refusals, at a limited rate: a burst of 5,
/// then one every 5 s, with the number of omitted events.
final class BoundedEvents: Sendable {
    private let limit = Mutex(LineLimit())
    private let what: String
    private let events: SourceEvents

    /// - Parameter what: the words that follow the number of omitted events in a note.
    init(_ what: String, _ events: SourceEvents) {
        self.what = what
        self.events = events
    }

    func put(_ event: MirrorSource.Event) {
        guard let leftOut = limit.withLock({ $0.take(now: MonotonicClock.now) }) else { return }
        if leftOut > 0 { events.note("\(leftOut) more \(what) meanwhile.") }
        events.put(event)
    }
}
