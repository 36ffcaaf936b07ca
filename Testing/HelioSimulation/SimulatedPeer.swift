package import HelioCore

/// One end of a simulated network: engines in a driver's place, without sockets.
package protocol SimulatedPeer: ~Copyable {
    mutating func receive(_ datagram: [UInt8], now: Instant)
    mutating func tick(now: Instant)
    /// The next datagram to send; `nil` when there is none until something happens.
    mutating func pollDatagram(now: Instant) -> [UInt8]?
    var deadline: Deadline? { get }
}
