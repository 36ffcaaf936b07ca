package import HelioCore

/// A datagram that has left a bottleneck, with its time in the queue.
package struct LinkDeparture: Sendable, Hashable {
    /// The number of its flow, as given by its sender.
    package let flow: Int
    /// The size in bytes.
    package let size: Int
    /// The departure of its last byte.
    package let left: Instant
    /// The time in the queue, without its own transmission.
    package let waited: Duration
}
