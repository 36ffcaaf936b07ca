/// An event that may wait until somebody reads it.
package protocol QueuedEvent: Sendable {
    /// The rule for the event while nobody reads.
    var standing: EventStanding { get }
}

/// The rule for a queued event when events are merged. Keys name the subject of an event.
package enum EventStanding: Hashable, Sendable {
    /// Kept in any case: for events that occur rarely.
    case kept
    /// A report of a state: a newer event of this key replaces it.
    case newest(String)
    /// The begin of something with this key; dropped together with its `over`, if both are queued.
    case begun(String)
    /// The end of something that `begun` reported.
    case over(String)
    /// A repeated event: the newest of each key is kept and, if there are too many keys, the newest of those.
    case repeated(String)
    /// Stays in its place: states are not merged across it, since they describe the events before or after it.
    case fixed
}

/// The reason why an `EventQueue` dropped an event.
package enum EventDrop: String, CaseIterable, Hashable, Sendable {
    /// A newer event reports the state.
    case overtaken = "event-overtaken"
    /// A `begun` and its `over` were queued before anybody read them; both events are counted.
    case unseen = "event-unseen"
    /// An equal event waited already.
    case repeated = "event-repeated"
    /// Too many different events waited.
    case tooMany = "event-too-many"
}
