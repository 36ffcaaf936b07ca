internal import DequeModule
package import HelioCore

/// Remembers the rates that paths carried when they were last used, by the peer's address, so that a returning peer
/// need not start slowly.
package struct PathMemory: Sendable {
    /// The time for which a path is remembered, as networks change.
    private static let validity = Duration.seconds(3600)
    /// The maximum number of paths remembered; the oldest is evicted first.
    private static let limit = 64
    /// The share of the remembered rate at which a path is started.
    private static let share = 0.7

    private struct Entry {
        var rate: Bitrate
        var at: Instant
    }

    private var entries: [IPAddress: Entry] = [:]
    private var order = Deque<IPAddress>()

    package init() {}

    package var count: Int { entries.count }

    /// Records the rate that the path to `address` carries.
    package mutating func note(_ rate: Bitrate, to address: IPAddress, now: Instant) {
        if entries.updateValue(Entry(rate: rate, at: now), forKey: address) != nil {
            order.removeAll { $0 == address }
        }
        order.append(address)
        if order.count > Self.limit, let oldest = order.popFirst() { entries[oldest] = nil }
    }

    /// The rate with which to start the path to `address`; `nil` if it is unknown.
    package func start(to address: IPAddress, now: Instant) -> Bitrate? {
        guard let entry = entries[address], now - entry.at <= Self.validity else { return nil }
        return entry.rate.scaled(by: Self.share)
    }
}
