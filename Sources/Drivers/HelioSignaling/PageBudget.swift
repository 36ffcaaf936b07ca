internal import HelioCore

/// Bounds the bytes that strangers are sent, by origin and all together: a request of 40 bytes is answered by a page of half
/// a megabyte, which would fill the line that pictures go by.
struct PageBudget {
    /// The bytes that an origin, and all together, have in hand: the page some dozen times.
    static let burst = 16.0 * 1024 * 1024
    static let overallBurst = 32.0 * 1024 * 1024
    /// The bytes that come back each second.
    static let refill = 1.0 * 1024 * 1024
    static let overallRefill = 4.0 * 1024 * 1024
    /// The least that an answer counts for.
    static let leastCost = 4096
    private static let mostOrigins = 256

    private struct Level {
        var spent = 0.0
        var since = Instant.zero

        func spent(at now: Instant, refill: Double) -> Double { max(0, spent - (now - since).inSeconds * refill) }
    }

    private var origins: [IPAddress?: Level] = [:]
    private var overall = Level()

    /// Counts an answer of so many bytes; false where it is not to be sent. One that begins within the bound may go past it.
    mutating func take(_ bytes: Int, _ origin: IPAddress?, now: Instant) -> Bool {
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
