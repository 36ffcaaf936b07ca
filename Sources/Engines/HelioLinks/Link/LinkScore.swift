import HelioCore

/// The cost of using a link, as milliseconds of delay: less is better.
enum LinkScore {
    /// The cost of 1 % loss. NACKs and doubles make up for some, at the price of delay.
    private static let lossPercent = 10.0
    /// The weight of the round trip: a slow direct link is still better than a fast relayed one.
    private static let roundTripWeight = 0.25

    static func of(_ link: Link, for purpose: DatagramClass) -> Double {
        let roundTrip = min((link.roundTrip.smoothed ?? RoundTripMeter.assumed).milliseconds, 2000)
        return cost(of: link.traits.kind, for: purpose) + link.loss * 100 * lossPercent + roundTrip * roundTripWeight
    }

    /// The advantage that another link needs to take over from one with this score.
    static func margin(_ score: Double) -> Double { 10 + score * 0.1 }

    /// The cost of a kind. A narrow link carries media only if the others lose nearly everything.
    private static func cost(of kind: LinkKind, for purpose: DatagramClass) -> Double {
        switch (kind, purpose) {
        case (.direct, _): 0
        case (.relayed, .media): 40
        case (.relayed, .control): 30
        case (.rendezvous, .media): 150
        case (.rendezvous, .control): 60
        case (.narrow, .media): 800
        case (.narrow, .control): 100
        }
    }
}
