import HelioCore

/// The conditions of the network between one viewer and the host.
struct NetworkConditions {
    var oneWay = Duration.milliseconds(1)
    /// The largest random addition to the delay; it reorders datagrams.
    var jitter = Duration.zero
    /// The share of datagrams lost, in both directions.
    var loss = 0.0
    var duplicate = 0.0
    /// True if the network is up; otherwise everything is lost.
    var isUp = true
    /// A counter of addresses: connections and datagrams of an earlier address are lost.
    var address: UInt64 = 0

    /// Calls `deliver` for each copy of a datagram that arrives, with its delay.
    func carry(_ random: inout SeededGenerator, _ deliver: (Duration) -> Void) {
        guard isUp, loss == 0 || random.unit() >= loss else { return }
        for _ in 0..<(duplicate > 0 && random.unit() < duplicate ? 2 : 1) {
            let extra = jitter > .zero ? Int64(random.unit() * Double(jitter.nanoseconds)) : 0
            deliver(oneWay + .nanoseconds(extra))
        }
    }
}
