import HelioCore

/// A peer to which this end sends through the server. If the peer answers, it gets a channel, with an overhead of 4
/// bytes per packet instead of 36 (RFC 8656 section 12).
struct TURNPeer {
    struct Channel {
        enum Step {
            /// A ChannelBind request has to be sent, for a first binding or a renewal.
            case wanted
            case asking
            /// The channel is bound. Its renewal is due at this instant, some time before it expires.
            case bound(renewedAt: Instant)
            /// The channel was idle, or its binding was refused or not answered; its number may be reused from this
            /// instant on.
            case resting(until: Instant)
        }

        let number: UInt16
        var step = Step.wanted
        /// The time at which the channel expires at the server; `nil` if it is not bound.
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
