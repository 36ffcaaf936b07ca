package import HelioCore

/// The record of a datagram that has left a bottleneck, for measuring queueing delays.
package struct LinkDeparture: Sendable, Hashable {
    /// The flow number that was passed to `SimulatedLink.send`.
    package let flow: Int
    /// The datagram's size, in bytes.
    package let size: Int
    /// The time at which the datagram's last byte was transmitted.
    package let left: Instant
    /// The time that the datagram waited in the queue, without its own transmission time.
    package let waited: Duration
}
