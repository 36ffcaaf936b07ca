package import HelioCore

/// A datagram that has left a bottleneck, and how long it stood in the queue before it.
package struct LinkDeparture: Sendable, Hashable {
    /// The number of its flow, as its sender has given it.
    package let flow: Int
    /// The size in bytes.
    package let size: Int
    /// When its last byte left.
    package let left: Instant
    /// The time in the queue, without its own transmission.
    package let waited: Duration
}
