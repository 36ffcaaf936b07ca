package import HelioCore

/// When a viewer retries a lost host: often, as the picture is to be back within a second of the network's return, and
/// for longer than network outages usually last.
///
/// Packets sent into a dead network are lost, and TCP itself repeats its first packet only after 1, 3 and 7 seconds. So
/// each attempt sends a fresh one every `probeInterval`, and continues with the first that is answered, on slow paths,
/// too.
package struct ReconnectPlan: Sendable {
    /// The time from the detected loss to the last attempt.
    package static let patience = Duration.seconds(120)
    /// The pause between two attempts: a network that is down on this machine fails each at once.
    package static let pause = Duration.milliseconds(100)
    /// The time limit for one attempt to connect.
    package static let connectTime = Duration.seconds(5)
    /// The interval at which one attempt opens connections.
    package static let probeInterval = Duration.milliseconds(200)

    private var lostAt: Instant?

    package init() {}

    /// True while the host is lost and being retried.
    package var isTrying: Bool { lostAt != nil }

    /// Notes that the host was lost, or that an attempt has failed; returns the time of the next attempt, or `nil` once
    /// it is time to give up.
    package mutating func failed(now: Instant) -> Instant? {
        let since = lostAt ?? now
        lostAt = since
        return now - since > Self.patience ? nil : now + Self.pause
    }

    /// Notes that the session is re-established.
    package mutating func succeeded() { lostAt = nil }
}
