package import HelioLinks
package import HelioRendezvousWire

/// An event of a tunnel, for logs and the person's status line.
package enum TunnelEvent: Sendable, Hashable {
    /// The host was reached by the rendezvous.
    case ringing
    case link(LinkEvent)
    /// The call at the rendezvous has ended. The session goes on if ICE has found a path.
    case callLost(HangUpReason)
}
