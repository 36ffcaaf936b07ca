import HelioCore

/// What lies between one viewer and the host.
struct NetworkConditions {
    var oneWay = Duration.milliseconds(1)
    /// Up to this much comes on top; datagrams overtake each other then.
    var jitter = Duration.zero
    /// Of datagrams, both ways.
    var loss = 0.0
    var duplicate = 0.0
    /// Down: all is swallowed.
    var isUp = true
    /// Counts addresses: connections and datagrams of an earlier one lead nowhere.
    var address: UInt64 = 0

    /// Calls `deliver` for each time that a datagram arrives, with the time that it takes.
    func carry(_ random: inout SeededGenerator, _ deliver: (Duration) -> Void) {
        guard isUp, loss == 0 || random.unit() >= loss else { return }
        for _ in 0..<(duplicate > 0 && random.unit() < duplicate ? 2 : 1) {
            let extra = jitter > .zero ? Int64(random.unit() * Double(jitter.nanoseconds)) : 0
            deliver(oneWay + .nanoseconds(extra))
        }
    }
}
