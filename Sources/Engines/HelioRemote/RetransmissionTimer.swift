import HelioCore

/// The retransmission timeout: estimated as in RFC 6298, limited to 10 ... 250 ms, and doubled at each expiry up to
/// that maximum.
struct RetransmissionTimer {
    static let bounds: ClosedRange<Duration> = .milliseconds(10) ... .milliseconds(250)

    /// The estimated timeout. Until the first measurement it is 50 ms: more than a round trip in a local network, and
    /// too short for a user to notice.
    private var estimate: Duration = .milliseconds(50)
    private var smoothed: Duration?
    private var variation: Duration = .zero
    private var backoff = 1

    var timeout: Duration { min(estimate * backoff, Self.bounds.upperBound) }

    mutating func measured(_ roundTrip: Duration) {
        if let smoothed {
            let error = max(smoothed - roundTrip, roundTrip - smoothed)
            variation = (variation * 3 + error) / 4
            self.smoothed = (smoothed * 7 + roundTrip) / 8
        } else {
            smoothed = roundTrip
            variation = roundTrip / 2
        }
        estimate = min(max((smoothed ?? roundTrip) + variation * 4, Self.bounds.lowerBound), Self.bounds.upperBound)
    }

    mutating func expired() { backoff = min(backoff * 2, 32) }
    mutating func progressed() { backoff = 1 }
}
