internal import HelioCore
internal import HelioSession

/// The target that this end watches, with the state of reconnecting to it: shared by `Viewer` and `MirrorSink`.
struct WatchedHost {
    /// The target, with the last ticket once it is to be used.
    private(set) var target: ViewTarget
    /// True once the stream has begun: a session that never began is not tried again.
    private(set) var hasPlayed = false
    private var ticket: [UInt8]?
    private var plan = ReconnectPlan()

    init(_ target: ViewTarget) { self.target = target }

    /// True while the host is lost and being tried again.
    var isTrying: Bool { plan.isTrying }

    /// Stores the ticket that the host gave to reconnect with.
    mutating func take(ticket: [UInt8]) { self.ticket = ticket }

    /// The session has begun, or is back.
    ///
    /// - Returns: whether it is the first time.
    mutating func played() -> Bool {
        defer { hasPlayed = true }
        plan.succeeded()
        return !hasPlayed
    }

    /// Takes the loss of a connection, and gives the time to connect again; `nil` where the session is over. A host
    /// that vanished is tried again for a while, with its ticket or by the pairing.
    mutating func lost(_ error: HelioError, now: Instant) -> Instant? {
        guard error.code == .unreachable, hasPlayed, ticket != nil || target.comesBackByItself,
            let next = plan.failed(now: now)
        else { return nil }
        if let ticket { target.use(ticket: ticket) }
        return next
    }
}
