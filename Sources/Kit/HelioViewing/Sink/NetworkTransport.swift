internal import HelioSession

/// The ways to a host that a viewer allows for picture and input. The first three go to the host's address, the others
/// by its rendezvous server, from any network.
public enum NetworkTransport: String, Sendable, CaseIterable {
    /// All ways, the host's addresses first: UDP and, while UDP is blocked or loses too many packets, TCP inside the
    /// existing connection. If the host has a rendezvous server, that is asked beside them.
    case automatic = "auto"
    /// UDP to the host's address alone.
    case udp
    /// TCP to the host's address alone. A lost packet delays all following packets.
    case tcp
    /// The rendezvous server, and the best path between the networks that ICE finds: direct or by a TURN server.
    case ice
    /// The rendezvous server, and TURN servers: nothing goes straight between the ends.
    case relay
    /// The rendezvous server carries everything.
    case rendezvous

    var policy: TransportPolicy {
        switch self {
        case .automatic, .ice, .relay, .rendezvous: .automatic
        case .udp: .udp
        case .tcp: .tcp
        }
    }
}
