/// The schedule of attempts at what has failed, as numbers: the first wait, the longest, up to which it is doubled each
/// time, and the patience.
package struct Retry: Sendable, Hashable {
    /// The longest wait that the other end can request.
    package static let longestAsked = Duration.seconds(120)

    private let first: Duration
    private let longest: Duration
    private let patience: Duration?
    private var wait: Duration
    private var failedAt: Instant?

    /// - Parameters:
    ///   - first: the wait before the second attempt.
    ///   - longest: the longest wait; `first` for waits that are all equal.
    ///   - patience: the time from the first failure after which nothing is tried any more; `nil` for no limit.
    package init(first: Duration, longest: Duration, patience: Duration? = nil) {
        self.first = first
        self.longest = longest
        self.patience = patience
        wait = first
    }

    /// True from a failure to the next success.
    package var isTrying: Bool { failedAt != nil }

    /// The wait before the next attempt.
    ///
    /// - Parameter asked: the shortest wait that the other end requests.
    package mutating func next(atLeast asked: Duration? = nil) -> Duration {
        defer { wait = min(wait * 2, longest) }
        return max(wait, min(asked ?? .zero, Self.longestAsked))
    }

    /// Notes a failure; returns the time of the next attempt, or `nil` once it is time to give up.
    package mutating func failed(now: Instant) -> Instant? {
        let since = failedAt ?? now
        failedAt = since
        if let patience, now - since > patience { return nil }
        return now + next()
    }

    /// Notes a success: the waits and the patience begin anew.
    package mutating func succeeded() {
        wait = first
        failedAt = nil
    }
}

/// The times in which a viewer retries a lost host: often, as the picture is to be back within a second of the network's
/// return, and for longer than network outages usually last.
///
/// Packets sent into a dead network are lost, and TCP itself repeats its first packet only after 1, 3 and 7 seconds. So
/// each attempt sends a fresh one every `probeInterval`, and continues with the first that is answered, on slow paths,
/// too.
package enum Reconnection {
    /// The time from the detected loss to the last attempt.
    package static let patience = Duration.seconds(120)
    /// The pause between two attempts: a network that is down on this machine fails each at once.
    package static let pause = Duration.milliseconds(100)
    /// The time limit for one attempt to connect.
    package static let connectTime = Duration.seconds(5)
    /// The interval at which one attempt opens connections.
    package static let probeInterval = Duration.milliseconds(200)

    package static var retry: Retry { Retry(first: pause, longest: pause, patience: patience) }
}
