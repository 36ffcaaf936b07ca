package import HelioCore

/// The arrival or loss of one packet, as the peer's feedback reports it.
package struct PacketResult: Sendable, Hashable {
    /// The packet's size in bytes, as sent.
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
