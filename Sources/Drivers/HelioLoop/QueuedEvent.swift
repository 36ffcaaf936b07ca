/// An event that is queued until it is read.
package protocol QueuedEvent: Sendable {
    /// The rule by which the event is merged while the queue is not read.
    var standing: EventStanding { get }
}

/// The rule by which a queued event is merged with others. A key identifies the subject of an event.
package enum EventStanding: Hashable, Sendable {
    /// The event is always kept; for events that occur rarely.
    case kept
    /// A report of a state: a newer event of this key replaces it.
    case newest(String)
    /// The beginning of a condition with this key. It is dropped together with its `over`, if both are queued.
    case begun(String)
    /// The end of the condition that `begun` reported.
    case over(String)
    /// A repeated event: the newest of each key is kept and, if there are too many keys, the newest of those.
    case repeated(String)
    /// The event is always kept. Reports of a state before it are not merged with reports after it, since they describe
    /// the events around them.
    case fixed
}

/// The reason why an `EventQueue` dropped an event.
package enum EventDrop: String, CaseIterable, Hashable, Sendable {
    /// A newer event reports the same state.
    case overtaken = "event-overtaken"
    /// A `begun` and its `over` were both queued and unread; both events are counted.
    case unseen = "event-unseen"
    /// A newer event with the same key was queued.
    case repeated = "event-repeated"
    /// The queue contained too many repeated events with different keys.
    case tooMany = "event-too-many"
}
