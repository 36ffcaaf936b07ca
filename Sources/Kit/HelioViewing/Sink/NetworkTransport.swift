internal import HelioSession

/// The transports that a viewer allows for picture and input.
public enum NetworkTransport: String, Sendable, CaseIterable {
    /// UDP, with TCP as fallback, inside the existing connection, for as long as UDP is blocked or loses too much.
    case automatic = "auto"
    /// UDP alone.
    case udp
    /// TCP alone. A lost packet delays all that follow it.
    case tcp

    var policy: TransportPolicy {
        switch self {
        case .automatic: .automatic
        case .udp: .udp
        case .tcp: .tcp
        }
    }
}
