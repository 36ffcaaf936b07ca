/// A retry schedule with exponential backoff: waits double from the first up to the longest, and retries end after a
/// period without success.
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
    ///   - patience: the time from the first failure after which retries end; `nil` for no limit.
    package init(first: Duration, longest: Duration, patience: Duration? = nil) {
        self.first = first
        self.longest = longest
        self.patience = patience
        wait = first
    }

    /// True from a failure to the next success.
    package var isTrying: Bool { failedAt != nil }

    /// Returns the wait before the next attempt, and doubles the following wait, up to the longest.
    ///
    /// - Parameter asked: the minimum wait that the other end requests; limited to `longestAsked`.
    package mutating func next(atLeast asked: Duration? = nil) -> Duration {
        defer { wait = min(wait * 2, longest) }
        return max(wait, min(asked ?? .zero, Self.longestAsked))
    }

    /// Records a failure. Returns the time of the next attempt, or `nil` if retries have ended.
    package mutating func failed(now: Instant) -> Instant? {
        let since = failedAt ?? now
        failedAt = since
        if let patience, now - since > patience { return nil }
        return now + next()
    }

    /// Records a success: the waits and the patience start again from the beginning.
    package mutating func succeeded() {
        wait = first
        failedAt = nil
    }
}

/// The schedule by which a viewer reconnects to a lost host: often, so that the picture is back within a second of the
/// network's return, and for longer than network outages usually last.
///
/// TCP retransmits a lost SYN only after 1, 3 and 7 s. So each attempt opens another connection every `probeInterval`,
/// and continues with the first connection that is established, which also works on slow paths.
package enum Reconnection {
    /// The time from the detected loss to the last attempt.
    package static let patience = Duration.seconds(120)
    /// The pause between two attempts. Without it, attempts would follow each other at once while this machine's
    /// network is down, as each then fails immediately.
    package static let pause = Duration.milliseconds(100)
    /// The time limit for one attempt to connect.
    package static let connectTime = Duration.seconds(5)
    /// The interval at which one attempt opens further connections.
    package static let probeInterval = Duration.milliseconds(200)

    package static var retry: Retry { Retry(first: pause, longest: pause, patience: patience) }
}
