internal import DequeModule
package import HelioCore

/// Remembers what the paths to peers carried when they were last used, by the peer's address, so that one who comes back
/// need not begin with care.
package struct PathMemory: Sendable {
    /// The time for which a path is remembered: networks change.
    private static let validity = Duration.seconds(3600)
    /// The most paths; the oldest is forgotten first.
    private static let limit = 64
    /// The share of what a path carried that it is begun with.
    private static let share = 0.7

    private struct Entry {
        var rate: Bitrate
        var at: Instant
    }

    private var entries: [IPAddress: Entry] = [:]
    private var order = Deque<IPAddress>()

    package init() {}

    package var count: Int { entries.count }

    /// Notes what the path to `address` carries.
    package mutating func note(_ rate: Bitrate, to address: IPAddress, now: Instant) {
        if entries.updateValue(Entry(rate: rate, at: now), forKey: address) != nil {
            order.removeAll { $0 == address }
        }
        order.append(address)
        if order.count > Self.limit, let oldest = order.popFirst() { entries[oldest] = nil }
    }

    /// The rate with which the path to `address` may be begun; `nil` where nothing is known of it.
    package func start(to address: IPAddress, now: Instant) -> Bitrate? {
        guard let entry = entries[address], now - entry.at <= Self.validity else { return nil }
        return entry.rate.scaled(by: Self.share)
    }
}
