package import HelioRendezvousWire

/// An event of a call, for one of its ends.
package enum CallEvent: Sendable, Hashable {
    /// The TURN servers of both ends; comes before `ringing`, or before the host learns of the call.
    case turn([TURNEntry])
    /// The host was reached; to the ringer.
    case ringing
    case message([UInt8])
    /// A datagram, which may get lost or arrive out of order.
    case data([UInt8])
    /// The call has ended; nothing follows.
    case hungUp(HangUpReason)
}

/// One end of one call at a rendezvous: an ordered channel of messages to the other end, and a lossy one of datagrams.
/// Lives on one event loop.
package protocol CallCarrier: AnyObject {
    /// Called on the loop with each event.
    var onEvent: ((CallEvent) -> Void)? { get set }
    /// True if the rendezvous is on this machine or its networks, where the servers that it lends may be, too.
    var lendsNearServers: Bool { get }
    /// Rings a device; for the ringer, once.
    func ring(_ device: RendezvousID, _ token: RingToken)
    /// Sends a message of at most 65,535 bytes.
    func send(_ message: [UInt8])
    /// Sends a datagram of at most 2,048 bytes.
    func send(data: [UInt8])
    /// Ends the call; no event follows.
    func hangUp(_ reason: HangUpReason)
}
