import HelioCore

/// A permission: the server relays data to and from peers at this IP address (RFC 8656 section 9).
struct TURNPermission {
    enum Step {
        /// A CreatePermission request has to be sent, for a first permission or a renewal.
        case wanted
        case asking
        /// The permission was given. Its renewal is due at this instant, some time before it expires.
        case given(renewedAt: Instant)
        /// The server has refused the permission, which is removed from the list at this instant.
        case refused(until: Instant)
    }

    let ip: IPAddress
    var step = Step.wanted
    /// The time at which the permission expires at the server; `nil` if it is not given.
    var expiresAt: Instant?
    var usedAt: Instant
    /// The packets that wait for the permission, oldest first.
    var held: [(bytes: [UInt8], to: TransportAddress)] = []

    func isValid(_ now: Instant) -> Bool { expiresAt.map { now < $0 } ?? false }

    var isRefused: Bool { if case .refused = step { true } else { false } }

    var wakesAt: Instant? {
        switch step {
        case .wanted, .asking: nil
        case .given(let instant), .refused(let instant): instant
        }
    }
}
