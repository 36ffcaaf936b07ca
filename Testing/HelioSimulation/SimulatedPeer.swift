package import HelioCore

/// A peer of a simulated network: runs engines in place of a driver, without sockets.
package protocol SimulatedPeer: ~Copyable {
    mutating func receive(_ datagram: [UInt8], now: Instant)
    mutating func tick(now: Instant)
    /// Returns the next datagram to send; `nil` if there is none until the next event.
    mutating func pollDatagram(now: Instant) -> [UInt8]?
    var deadline: Deadline? { get }
}
