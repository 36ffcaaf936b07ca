internal import HelioSession

/// The transports that a viewer allows for picture and input.
public enum NetworkTransport: String, Sendable, CaseIterable {
    /// UDP; while UDP is blocked or loses too many packets, TCP inside the existing connection replaces it.
    case automatic = "auto"
    /// UDP alone.
    case udp
    /// TCP alone. A lost packet delays all following packets.
    case tcp

    var policy: TransportPolicy {
        switch self {
        case .automatic: .automatic
        case .udp: .udp
        case .tcp: .tcp
        }
    }
}
