/// Something that has happened, and may wait until somebody reads of it.
package protocol QueuedEvent: Sendable {
    /// What becomes of it while nobody reads.
    var standing: EventStanding { get }
}

/// What becomes of an event that waits while more come than anybody reads. Keys tell what an event is about.
package enum EventStanding: Hashable, Sendable {
    /// Waits, whatever comes. Of its kind there are few.
    case kept
    /// Says how things are: the next one of this key says it better.
    case newest(String)
    /// Something is there now. Where `over` waits as well, nobody needs to hear of either.
    case begun(String)
    /// What `begun` told of is over.
    case over(String)
    /// One of many that say the same; of many that say something else, the newest count.
    case repeated(String)
    /// Nothing is merged across it: what comes before it and after it is about it.
    case fixed
}

/// What an `EventQueue` did not hand over.
package enum EventDrop: String, CaseIterable, Hashable, Sendable {
    /// A newer one says how things are.
    case overtaken = "event-overtaken"
    /// It began and was over again before anybody read of it: both.
    case unseen = "event-unseen"
    /// The same waited already.
    case repeated = "event-repeated"
    /// Too many that differ.
    case tooMany = "event-too-many"
}
