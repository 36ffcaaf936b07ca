package import HelioCore

/// A limit on the connections that a listener accepts. Called on the listener's loop; several listeners may share one.
package protocol AcceptLimiting: Sendable {
    /// Counts a connection that was accepted; returns false if it must be closed at once.
    func mayArrive(_ address: IPAddress?, now: Instant) -> Bool

    /// The instant until which no connection may be accepted; `nil` if one may be accepted now.
    func resumes(now: Instant) -> Instant?
}

/// An action of a listener's `AcceptLimiting`, for statistics.
package enum AcceptEvent: Sendable {
    /// A connection was closed as soon as it was accepted.
    case refused
    /// The listener accepts no connections for a while; new connections wait in the system's backlog.
    case paused
}
