package import HelioCore

/// One end of a simulated network: engines without sockets, in place of a driver.
package protocol SimulatedPeer: ~Copyable {
    mutating func receive(_ datagram: [UInt8], now: Instant)
    mutating func tick(now: Instant)
    /// Returns the next datagram to send; `nil` if there is none until the next event.
    mutating func pollDatagram(now: Instant) -> [UInt8]?
    var deadline: Deadline? { get }
}
