package import HelioCore

/// The times at which a viewer tries a lost host again: often, as the picture is to be back within a second of the
/// network's return, and for longer than networks usually are away.
///
/// What is sent into a dead network is lost, and TCP itself repeats its first packet only after 1, 3 and 7 seconds. So
/// each try sends a fresh one every `probeInterval`, and goes on with the first that is answered: on a slow path, too.
package struct ReconnectPlan: Sendable {
    /// The time from the detected loss to the last try.
    package static let patience = Duration.seconds(120)
    /// The time between two tries: a network that is down on this machine fails each at once.
    package static let pause = Duration.milliseconds(100)
    /// The time limit for one try to connect.
    package static let connectTime = Duration.seconds(5)
    /// The time between two connections that one try opens.
    package static let probeInterval = Duration.milliseconds(200)

    private var lostAt: Instant?

    package init() {}

    /// True while the host is lost and being tried again.
    package var isTrying: Bool { lostAt != nil }

    /// Notes that the host was lost, or that a try has failed; gives the next, or `nil` once it is time to give up.
    package mutating func failed(now: Instant) -> Instant? {
        let since = lostAt ?? now
        lostAt = since
        return now - since > Self.patience ? nil : now + Self.pause
    }

    /// Notes that the session is back.
    package mutating func succeeded() { lostAt = nil }
}
