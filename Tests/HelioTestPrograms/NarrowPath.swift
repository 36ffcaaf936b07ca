package import HelioCore
package import HelioSimulation

/// A path between a host on this machine and its viewers with settable rate, delay and loss: datagrams pass through a
/// `SimulatedLink` in each direction, in real time; TCP passes unchanged. Ends with this object.
///
/// Rate and queue apply to the direction towards the viewer; the other one has the same delay and loss.
package final class NarrowPath: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// The address to use instead of the host's 127.0.0.1.
    package static let address = "127.0.0.2"

    private let carrier: PathCarrier

    /// Forwards a host's TCP and UDP port, and the next UDP port, from the same ports of `address`.
    package convenience init(_ conditions: LinkConditions, seed: UInt64 = 1, to port: UInt16) throws(Failed) {
        try self.init(PathCarrier(conditions, seed: seed, target: port))
    }

    /// Forwards only UDP, from `port` of 127.0.0.1; `lead` sets the destination.
    package convenience init(_ conditions: LinkConditions, seed: UInt64 = 1) throws(Failed) {
        try self.init(PathCarrier(conditions, seed: seed, target: nil))
    }

    private init(_ carrier: PathCarrier) {
        self.carrier = carrier
        carrier.start()
    }

    deinit { carrier.stop() }

    /// Link conditions with a rate, a delay, and a queue of this duration.
    package static func link(
        _ rate: Bitrate, delay: Duration = .milliseconds(15), queue: Duration = .milliseconds(300), loss: Double = 0
    ) -> LinkConditions {
        LinkConditions(
            loss: loss > 0 ? .random(loss) : .none, delay: delay, rate: rate,
            queueBytes: Int(Double(rate.bitsPerSecond) / 8 * queue.inSeconds))
    }

    /// The conditions of the reverse direction.
    static func back(_ conditions: LinkConditions) -> LinkConditions {
        var back = conditions
        back.rate = nil
        return back
    }

    /// The present instant of the ledger's clock.

    /// The UDP port on which the path receives.
    package var port: UInt16 { carrier.port }

    /// Sets the destination to this UDP port of 127.0.0.1, unless it is already set.
    ///
    /// - Returns: whether this port is the destination.
    package func lead(to port: UInt16) -> Bool { carrier.lead(to: port) }

    /// Changes the link conditions.
    ///
    /// - Returns: the instant of the change.
    @discardableResult
    package func change(to conditions: LinkConditions) -> Instant { carrier.change(to: conditions) }

    /// The record of all datagrams so far.
    package var ledger: PathLedger { carrier.ledger }

    /// The queuing delay of a datagram that the host would send now.
    package var queueDelay: Duration { carrier.queueDelay }
}
