package import HelioCore

/// Limits the bytes sent to unauthenticated clients, per origin and in total. A request of 40 bytes is answered by a
/// page of half a megabyte, and many such answers would saturate the link that carries the pictures.
package struct PageBudget {
    /// The maximum burst of one origin, in bytes: dozens of pages. `overallBurst` limits all origins together.
    static let burst = 16.0 * 1024 * 1024
    static let overallBurst = 32.0 * 1024 * 1024
    /// The refill rate of one origin's budget, in bytes a second. `overallRefill` is the rate for all origins together.
    static let refill = 1.0 * 1024 * 1024
    static let overallRefill = 4.0 * 1024 * 1024
    /// The minimum cost of an answer, in bytes.
    static let leastCost = 4096
    private static let mostOrigins = 256

    private struct Level {
        var spent = 0.0
        var since = Instant.zero

        func spent(at now: Instant, refill: Double) -> Double { max(0, spent - (now - since).inSeconds * refill) }
    }

    private var origins: [IPAddress?: Level] = [:]
    private var overall = Level()

    package init() {}

    /// Counts an answer of `bytes` bytes. Returns false if the answer must not be sent. An answer that begins within
    /// the limit may exceed it.
    package mutating func take(_ bytes: Int, _ origin: IPAddress?, now: Instant) -> Bool {
        let all = overall.spent(at: now, refill: Self.overallRefill)
        let own = origins[origin]?.spent(at: now, refill: Self.refill) ?? 0
        guard all < Self.overallBurst, own < Self.burst else { return false }
        let cost = Double(max(bytes, Self.leastCost))
        overall = Level(spent: all + cost, since: now)
        if origins[origin] == nil, origins.count == Self.mostOrigins {
            let mildest = origins.min {
                $0.value.spent(at: now, refill: Self.refill) < $1.value.spent(at: now, refill: Self.refill)
            }
            if let mildest { origins[mildest.key] = nil }
        }
        origins[origin] = Level(spent: own + cost, since: now)
        return true
    }
}
