import HelioCore

/// A peer to which this end sends through the server. One that answers gets a channel, which costs 4 bytes per packet
/// instead of 36 (RFC 8656 section 12).
struct TURNPeer {
    struct Channel {
        enum Step {
            /// A ChannelBind request has to be sent, for the first time or again.
            case wanted
            case asking
            /// The channel is bound, and its binding is renewed at this instant.
            case bound(renewedAt: Instant)
            /// The channel was left to expire, or refused; its number is free again at this instant.
            case resting(until: Instant)
        }

        let number: UInt16
        var step = Step.wanted
        /// When the channel expires at the server; `nil` if it was never bound.
        var expiresAt: Instant?

        func isValid(_ now: Instant) -> Bool { expiresAt.map { now < $0 } ?? false }

        var wakesAt: Instant? {
            switch step {
            case .wanted, .asking: nil
            case .bound(let instant), .resting(let instant): instant
            }
        }
    }

    let address: TransportAddress
    var usedAt: Instant
    var isHeard = false
    var channel: Channel?
}
