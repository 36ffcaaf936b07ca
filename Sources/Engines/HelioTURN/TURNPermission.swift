import HelioCore

/// Whether peers at an address of IP may send to this end, and it to them (RFC 8656 section 9).
struct TURNPermission {
    enum Step {
        /// To be asked for, at first or again.
        case wanted
        case asking
        /// Given; to be asked for again at that instant.
        case given(renewedAt: Instant)
        /// The server does not want it; forgotten at that instant.
        case refused(until: Instant)
    }

    let ip: IPAddress
    var step = Step.wanted
    /// When it ends at the server; `nil` where it never began.
    var expiresAt: Instant?
    var usedAt: Instant
    /// What goes out as soon as it may, oldest first.
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
