/// The result of a Bonjour call, reduced to the cases that are handled differently.
package enum BonjourStatus: Sendable, Hashable {
    case done
    /// The system's responder is not running or has restarted; the caller tries again.
    case away
    /// The user has not allowed this app to use the local network.
    case notAllowed
    /// Bonjour refused the request, with this error code.
    case refused(Int32)

    /// - Parameter code: a `DNSServiceErrorType` of dns_sd.h.
    package init(_ code: Int32) {
        self =
            switch code {
            case 0: .done
            case -65563, -65569, -65568: .away
            case -65570, -65571, -65555: .notAllowed
            default: .refused(code)
            }
    }

    /// The obstacle to show to the user.
    package var obstacle: DiscoveryObstacle {
        switch self {
        case .notAllowed:
            DiscoveryObstacle("Heliograph may not use the local network: allow it in the settings under Privacy")
        default: DiscoveryObstacle("Bonjour, which finds and announces hosts, does not answer")
        }
    }
}
