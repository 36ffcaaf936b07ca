package import HelioCore

/// When a viewer tries a lost host again: often, as the picture is to be back within a second of the network's return,
/// and for longer than networks usually are away.
///
/// What is sent into a dead network is lost, and TCP itself repeats its first packet only after 1, 3 and 7 seconds. So
/// each try is given up soon and made anew.
package struct ReconnectPlan: Sendable {
    /// From the loss that was noticed to the last try.
    package static let patience = Duration.seconds(120)
    static let pause = Duration.milliseconds(100)
    private static let firstConnectTime = Duration.seconds(5)
    private static let shortestConnectTime = Duration.milliseconds(300)

    private var lostAt: Instant?

    package init() {}

    /// Whether the host is lost, and being tried again.
    package var isTrying: Bool { lostAt != nil }

    /// How long the next try may take to connect.
    ///
    /// - Parameter roundTrip: the last that was measured: a slow path needs longer.
    package func connectTime(roundTrip: Duration?) -> Duration {
        guard isTrying else { return Self.firstConnectTime }
        return min(Self.firstConnectTime, max(Self.shortestConnectTime, (roundTrip ?? .milliseconds(200)) * 3))
    }

    /// The host was lost, or a try has failed; gives the next, or `nil` once it is time to give up.
    package mutating func failed(now: Instant) -> Instant? {
        let since = lostAt ?? now
        lostAt = since
        return now - since > Self.patience ? nil : now + Self.pause
    }

    /// The session is back.
    package mutating func succeeded() { lostAt = nil }
}
