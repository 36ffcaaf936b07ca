internal import HelioCore
internal import HelioGround
private import Synchronization

/// Limits the rate of events that strangers can cause at will, such as refusals: a few at once, then one every 5 s,
/// with the number of those left out. All of them are counted in the statistics.
final class BoundedEvents: Sendable {
    private let limit = Mutex(LineLimit())
    private let what: String
    private let events: SourceEvents

    /// - Parameter what: the words that follow the number of left-out events.
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
