package import HelioCore

/// A budget of the CPU time that new connections cost a host, for each origin and for all origins together.
///
/// A connection that exceeds its origin's budget is closed as soon as it is accepted, which costs little, so that an
/// origin with many connections does not keep out others. Once the common budget is used up, no connection may be
/// accepted for a while; new connections then wait in the kernel's accept queue.
package struct ArrivalBudget: Sendable {
    /// The cost of a served connection relative to a connection that is closed at once: about 500 and 25 microseconds
    /// of CPU time.
    package static let servedCost = 20.0
    /// The minimum cost to regain before connections are accepted again, so that each pause is followed by several
    /// connections.
    private static let batch = 40.0

    private var origins: GuessLimiter
    private let overallBurst: Double
    private let overallRefill: Double
    private var spent = 0.0
    private var since = Instant.zero

    /// - Parameters:
    ///   - burst: the maximum number of connections in a burst from one `IPAddress.origin`.
    ///   - refill: the number of connections that each `IPAddress.origin` regains per second.
    ///   - overallBurst: the maximum cost in a burst, in units of a connection that is closed at once.
    ///   - overallRefill: the cost that is regained per second; 2000 is about a twentieth of a core.
    package init(
        burst: Double = 128, refill: Double = 16, overallBurst: Double = 8000, overallRefill: Double = 2000
    ) {
        origins = GuessLimiter(burst: burst, refill: refill)
        self.overallBurst = overallBurst
        self.overallRefill = overallRefill
    }

    /// Counts an accepted connection. Returns false if it has to be closed at once.
    ///
    /// - Parameter address: the peer's IP address; all peers without one share a budget.
    package mutating func take(_ address: IPAddress?, now: Instant) -> Bool {
        let isServed = origins.take(address?.unmapped.origin.description ?? "unknown", now: now)
        spent = level(now) + (isServed ? Self.servedCost : 1)
        since = max(since, now)
        return isServed
    }

    /// The instant until which no connection may be accepted; `nil` if one may be accepted now.
    package func resumes(now: Instant) -> Instant? {
        let excess = level(now) - overallBurst
        return excess >= 0 ? now + .seconds((excess + Self.batch) / overallRefill) : nil
    }

    private func level(_ now: Instant) -> Double {
        max(0, spent - max(0, (now - since).inSeconds) * overallRefill)
    }
}
