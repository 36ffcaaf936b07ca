/// Estimates the offset between the source's and the sink's clock from exchanges of four instants, as NTP does (RFC
/// 5905 section 8).
///
/// An exchange can be wrong by at most half its round-trip time, so the fastest exchange is the most accurate. But
/// clocks drift apart: the error bound of each exchange grows with its age, and the exchange with the smallest bound at
/// the current time is used. So a fast exchange is used until a newer one has a smaller bound.
package struct ClockEstimator: Sendable {
    package struct Estimate: Sendable, Hashable {
        /// The source's clock minus the sink's.
        package var offset: Duration
        /// The largest possible error of the offset.
        package var error: Duration
        /// The round-trip time of the exchange that gave the offset, without the time spent at the source.
        package var roundTrip: Duration
    }

    /// The maximum drift between two clocks, in parts per million: 100 for each clock.
    private static let driftPerMillion: Int64 = 200
    /// The maximum number of stored exchanges; a further one replaces the oldest.
    private static let window = 32

    private struct Exchange {
        package var offset: Int64
        package var roundTrip: Int64
        package var at: Instant
    }

    private var exchanges: [Exchange] = []
    private var next = 0

    package init() {}

    /// Adds an exchange: the request is sent at `t1` and the answer received at `t4` on the sink's clock; the request
    /// is received at `t2` and the answer sent at `t3` on the source's.
    ///
    /// - Returns: false, without storing the exchange, if its times are impossible.
    @discardableResult
    package mutating func add(t1: Instant, t2: Instant, t3: Instant, t4: Instant) -> Bool {
        let (there, overflowThere) = t2.nanoseconds.subtractingReportingOverflow(t1.nanoseconds)
        let (back, overflowBack) = t3.nanoseconds.subtractingReportingOverflow(t4.nanoseconds)
        guard !overflowThere, !overflowBack, t4 >= t1, t3 >= t2 else { return false }
        let (roundTrip, overflow) = there.subtractingReportingOverflow(back)
        guard !overflow, roundTrip >= 0 else { return false }
        let exchange = Exchange(offset: back + roundTrip / 2, roundTrip: roundTrip, at: t4)
        if exchanges.count < Self.window {
            exchanges.append(exchange)
        } else {
            exchanges[next] = exchange
            next = (next + 1) % Self.window
        }
        return true
    }

    /// The estimate at `now`, on the sink's clock; `nil` before the first exchange.
    package func estimate(now: Instant) -> Estimate? {
        guard let best = exchanges.min(by: { bound($0, now) < bound($1, now) }) else { return nil }
        return Estimate(
            offset: .nanoseconds(best.offset), error: .nanoseconds(bound(best, now)),
            roundTrip: .nanoseconds(best.roundTrip))
    }

    /// Converts an instant of the source's clock to the sink's; `nil` before the first exchange.
    package func sinkInstant(of source: Instant, now: Instant) -> Instant? {
        estimate(now: now).map { source - $0.offset }
    }

    private func bound(_ exchange: Exchange, _ now: Instant) -> Int64 {
        let age = max(0, (now - exchange.at).nanoseconds)
        return exchange.roundTrip / 2 + age / 1_000_000 * Self.driftPerMillion
    }
}
