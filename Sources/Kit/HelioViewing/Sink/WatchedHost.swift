internal import HelioCore
internal import HelioSession

/// Whom this end watches, and whether and when it tries again what it has lost: what `Viewer` and `MirrorSink` have in
/// common.
struct WatchedHost {
    /// With the last ticket, once there is one.
    private(set) var target: ViewTarget
    /// A picture was on its way at least once: what never began is not tried again.
    private(set) var hasPlayed = false
    private var ticket: [UInt8]?
    private var plan = ReconnectPlan()

    init(_ target: ViewTarget) { self.target = target }

    /// Whether the host is lost, and being tried again.
    var isTrying: Bool { plan.isTrying }

    /// The host gave this to come back with.
    mutating func take(ticket: [UInt8]) { self.ticket = ticket }

    /// The session has begun, or is back.
    ///
    /// - Returns: whether it is the first time.
    mutating func played() -> Bool {
        defer { hasPlayed = true }
        plan.succeeded()
        return !hasPlayed
    }

    /// What became of a connection, and when to make the next one; `nil` where the session is over. A host that
    /// vanished is tried again for a while, with its ticket or by the pairing.
    mutating func lost(_ error: HelioError, now: Instant) -> Instant? {
        guard error.code == .unreachable, hasPlayed, ticket != nil || target.comesBackByItself,
            let next = plan.failed(now: now)
        else { return nil }
        if let ticket { target.use(ticket: ticket) }
        return next
    }
}
