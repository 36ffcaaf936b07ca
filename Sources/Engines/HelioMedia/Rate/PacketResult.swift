package import HelioCore

/// The fate of one packet, as the peer's feedback tells it.
package struct PacketResult: Sendable, Hashable {
    /// The size in bytes, as it was sent.
    package var size: Int
    package var sent: Instant
    /// The time at which it came, on a clock that is the peer's but for its offset; `nil` where it has not come.
    package var arrival: Instant?
    /// The probe that it was sent in; `nil` where it was in none.
    package var probe: UInt32?

    package init(size: Int, sent: Instant, arrival: Instant?, probe: UInt32? = nil) {
        self.size = size
        self.sent = sent
        self.arrival = arrival
        self.probe = probe
    }
}
