internal import HelioSession

/// The transports that a viewer lets picture and input go by.
public enum NetworkTransport: String, Sendable, CaseIterable {
    /// UDP; and TCP, inside the connection that there is anyway, for as long as UDP is blocked or loses too much.
    case automatic = "auto"
    /// UDP alone.
    case udp
    /// TCP alone. Where packets are lost, all that comes after them waits for them.
    case tcp

    var policy: TransportPolicy {
        switch self {
        case .automatic: .automatic
        case .udp: .udp
        case .tcp: .tcp
        }
    }
}
