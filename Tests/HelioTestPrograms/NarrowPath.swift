package import HelioCore
package import HelioSimulation

/// A path between a host on this machine and who watches it, which is as narrow, slow and lossy as it is told to be, and
/// may change: datagrams go through a `SimulatedLink` each way, in real time; TCP goes through as it is. Ends with this
/// object.
///
/// The rate and the queue are those of the way to the viewer; the way back has the same delay and loss.
package final class NarrowPath: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        package let description: String
    }

    /// To be put in place of the host's address, 127.0.0.1.
    package static let address = "127.0.0.2"

    private let carrier: PathCarrier

    /// To a host's port of TCP and UDP, and the next of UDP, from the same ports of `address`.
    package convenience init(_ conditions: LinkConditions, seed: UInt64 = 1, to port: UInt16) throws(Failed) {
        try self.init(PathCarrier(conditions, seed: seed, target: port))
    }

    /// Of UDP alone, from `port` of 127.0.0.1; `lead` says where to.
    package convenience init(_ conditions: LinkConditions, seed: UInt64 = 1) throws(Failed) {
        try self.init(PathCarrier(conditions, seed: seed, target: nil))
    }

    private init(_ carrier: PathCarrier) {
        self.carrier = carrier
        carrier.start()
    }

    deinit { carrier.stop() }

    /// A link of a rate with a delay, and a queue of so much time.
    package static func link(
        _ rate: Bitrate, delay: Duration = .milliseconds(15), queue: Duration = .milliseconds(300), loss: Double = 0
    ) -> LinkConditions {
        LinkConditions(
            loss: loss > 0 ? .random(loss) : .none, delay: delay, rate: rate,
            queueBytes: Int(Double(rate.bitsPerSecond) / 8 * queue.inSeconds))
    }

    /// The way back of a way to the viewer.
    static func back(_ conditions: LinkConditions) -> LinkConditions {
        var back = conditions
        back.rate = nil
        return back
    }

    /// The clock of the ledger.

    /// The port for UDP.
    package var port: UInt16 { carrier.port }

    /// Where nothing was said of it before, leads to this port of UDP at 127.0.0.1.
    ///
    /// - Returns: whether it leads there.
    package func lead(to port: UInt16) -> Bool { carrier.lead(to: port) }

    /// It is another one from now on.
    ///
    /// - Returns: that instant.
    @discardableResult
    package func change(to conditions: LinkConditions) -> Instant { carrier.change(to: conditions) }

    /// What has happened so far.
    package var ledger: PathLedger { carrier.ledger }

    /// How long a datagram would wait that the host sent now.
    package var queueDelay: Duration { carrier.queueDelay }
}
