import HelioCore

/// The smoothed round trip of a link and its variation (RFC 6298 section 2).
struct RoundTripMeter: Sendable {
    /// The round trip that is assumed before the first measurement.
    static let assumed = Duration.milliseconds(100)

    private(set) var smoothed: Duration?
    private(set) var variation = Duration.zero

    mutating func measured(_ roundTrip: Duration) {
        guard roundTrip >= .zero else { return }
        guard let smoothed else {
            self.smoothed = roundTrip
            variation = roundTrip / 2
            return
        }
        let error = roundTrip > smoothed ? roundTrip - smoothed : smoothed - roundTrip
        variation = (variation * 3 + error) / 4
        self.smoothed = (smoothed * 7 + roundTrip) / 8
    }

    /// The time within which nearly all answers arrive.
    var expected: Duration {
        (smoothed ?? Self.assumed) + max(variation * 2, .milliseconds(15))
    }
}
