/// An event that may wait until somebody reads it.
package protocol QueuedEvent: Sendable {
    /// The rule for the event while nobody reads.
    var standing: EventStanding { get }
}

/// The rule for a waiting event while more come than are read. Keys name the subject of an event.
package enum EventStanding: Hashable, Sendable {
    /// It is kept in any case. There are few events of this kind.
    case kept
    /// It reports a state: a newer event of this key replaces it.
    case newest(String)
    /// Something of this key has begun. Where its `over` waits as well, both are dropped.
    case begun(String)
    /// Something that `begun` reported is over.
    case over(String)
    /// It repeats: of equal ones one is kept, and of different ones the newest.
    case repeated(String)
    /// It stays in its place: states are not merged across it, as they describe what comes before or after it.
    case fixed
}

/// The reason why an `EventQueue` dropped an event.
package enum EventDrop: String, CaseIterable, Hashable, Sendable {
    /// A newer event reports the state.
    case overtaken = "event-overtaken"
    /// Something began and was over before anybody read of it; both events are counted.
    case unseen = "event-unseen"
    /// An equal event waited already.
    case repeated = "event-repeated"
    /// Too many different events waited.
    case tooMany = "event-too-many"
}
