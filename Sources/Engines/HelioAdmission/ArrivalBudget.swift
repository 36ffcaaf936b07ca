package import HelioCore

/// A budget of the processor time that new connections cost a host: by origin, and for all origins together.
///
/// A connection that exceeds its origin's budget is closed as soon as it was accepted, which costs little, so an origin
/// that opens many does not keep out others. Once the common budget is used up, no connection may be accepted for a
/// while; who connects meanwhile waits in the system's queue.
package struct ArrivalBudget: Sendable {
    /// The cost of a connection that is served, relative to one that is closed at once: about 500 and 25 microseconds.
    package static let servedCost = 20.0
    /// The cost that is regained, at least, before accepting resumes, so that a pause ends once for many connections.
    private static let batch = 40.0

    private var origins: GuessLimiter
    private let overallBurst: Double
    private let overallRefill: Double
    private var spent = 0.0
    private var since = Instant.zero

    /// - Parameters:
    ///   - burst: the most connections of an origin in a row.
    ///   - refill: the connections that it regains each second.
    ///   - overallBurst: the most cost in a row, in connections that are closed at once.
    ///   - overallRefill: the cost that is regained each second: 2000 are about a twentieth of a core.
    package init(
        burst: Double = 128, refill: Double = 16, overallBurst: Double = 8000, overallRefill: Double = 2000
    ) {
        origins = GuessLimiter(burst: burst, refill: refill)
        self.overallBurst = overallBurst
        self.overallRefill = overallRefill
    }

    /// Counts a connection that was accepted; returns false if it must be closed at once.
    ///
    /// - Parameter address: the other end's IP address; all ends without one share a budget.
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
