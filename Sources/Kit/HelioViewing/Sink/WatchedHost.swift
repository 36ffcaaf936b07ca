internal import HelioCore

/// The target that this end watches, with the state of reconnecting: shared by `Viewer` and `MirrorSink`.
struct WatchedHost {
    /// The target; after a loss it contains the last ticket.
    private(set) var target: ViewTarget
    /// True once the stream has begun: a session that never began is not reconnected.
    private(set) var hasPlayed = false
    private var ticket: [UInt8]?
    private var plan = Reconnection.retry

    init(_ target: ViewTarget) { self.target = target }

    /// True while the host is lost and being reconnected.
    var isTrying: Bool { plan.isTrying }

    /// Stores the host's ticket for reconnecting.
    mutating func take(ticket: [UInt8]) { self.ticket = ticket }

    /// Stores the name that the host gives itself, for people; that of a pairing or an announcement stays.
    mutating func take(name: String) { target.take(name: name) }

    /// Notes that the stream has begun, or has been resumed.
    ///
    /// - Returns: true for the first time.
    mutating func played() -> Bool {
        defer { hasPlayed = true }
        plan.succeeded()
        return !hasPlayed
    }

    /// Handles the loss of a connection, and returns the time of the next attempt; `nil` if the session is over. A lost
    /// host is retried for a while, with its ticket or by the pairing.
    mutating func lost(_ error: HelioError, now: Instant) -> Instant? {
        guard error.code == .unreachable, hasPlayed, ticket != nil || target.comesBackByItself,
            let next = plan.failed(now: now)
        else { return nil }
        if let ticket { target.use(ticket: ticket) }
        return next
    }
}
