import HelioCore

/// A permission for peers at an IP address to send to this end, and for it to send to them (RFC 8656 section 9).
struct TURNPermission {
    enum Step {
        /// To be requested, for the first time or again.
        case wanted
        case asking
        /// Given; to be requested again at that instant.
        case given(renewedAt: Instant)
        /// Refused by the server; forgotten at that instant.
        case refused(until: Instant)
    }

    let ip: IPAddress
    var step = Step.wanted
    /// When it ends at the server; `nil` if it never began.
    var expiresAt: Instant?
    var usedAt: Instant
    /// The packets that are sent as soon as they may be, oldest first.
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
