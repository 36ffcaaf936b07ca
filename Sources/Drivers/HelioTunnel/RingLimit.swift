internal import HelioCore

/// A limit of the calls within a minute from one IPv4 address or IPv6 network of 64 bits. Calls whose ringer has proven
/// that it knows a secret are taken back, so that only others count.
struct RingLimit {
    private static let window = Duration.seconds(60)
    /// The number of addresses that are remembered; beyond it the one that called last longest ago is forgotten.
    private static let mostAddresses = 1024

    private let most: Int
    private var calls: [String: [Instant]] = [:]

    init(most: Int) {
        self.most = most
    }

    /// Counts a call; returns false if it is one too many.
    mutating func take(_ address: String, now: Instant) -> Bool {
        let address = Self.origin(address)
        var recent = (calls[address] ?? []).filter { now - $0 < Self.window }
        guard recent.count < most else { return false }
        recent.append(now)
        if calls[address] == nil, calls.count >= Self.mostAddresses,
            let oldest = calls.min(by: { ($0.value.last ?? .zero) < ($1.value.last ?? .zero) })?.key
        {
            calls[oldest] = nil
        }
        calls[address] = recent
        return true
    }

    /// Takes the address's last call back.
    mutating func giveBack(_ address: String) {
        let address = Self.origin(address)
        calls[address]?.removeLast()
        if calls[address]?.isEmpty == true { calls[address] = nil }
    }

    private static func origin(_ address: String) -> String { IPAddress(address)?.origin.description ?? address }
}
