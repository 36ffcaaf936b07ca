package import HelioCore

/// The fate of one packet, by the peer's feedback.
package struct PacketResult: Sendable, Hashable {
    /// The size in bytes, as sent.
    package var size: Int
    package var sent: Instant
    /// The arrival time, on the peer's clock up to an offset; `nil` if the packet has not arrived.
    package var arrival: Instant?
    /// The ID of the probe that the packet was part of; `nil` for none.
    package var probe: UInt32?

    package init(size: Int, sent: Instant, arrival: Instant?, probe: UInt32? = nil) {
        self.size = size
        self.sent = sent
        self.arrival = arrival
        self.probe = probe
    }
}
