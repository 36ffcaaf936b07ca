import HelioCore

/// The retransmission timeout (RFC 9260 section 6.3).
struct RetransmissionTimeout: Sendable {
    private(set) var current: Duration
    private(set) var smoothed: Duration?
    private(set) var latest: MeasuredRoundTrip?
    private var variance = Duration.zero
    private let configuration: SCTPConfiguration

    init(_ configuration: SCTPConfiguration) {
        self.configuration = configuration
        current = configuration.initialTimeout
    }

    mutating func measured(_ roundTrip: Duration) {
        guard roundTrip >= .zero else { return }
        latest = MeasuredRoundTrip(time: roundTrip, number: (latest?.number ?? 0) + 1)
        if let smoothed {
            let error = roundTrip > smoothed ? roundTrip - smoothed : smoothed - roundTrip
            variance = (variance * 3 + error) / 4
            self.smoothed = (smoothed * 7 + roundTrip) / 8
        } else {
            smoothed = roundTrip
            variance = roundTrip / 2
        }
        current = bounded((smoothed ?? roundTrip) + variance * 4)
    }

    /// Starts again on another path, whose round trip is `expected` if it is known.
    mutating func restart(expected: Duration?) {
        smoothed = expected
        variance = (expected ?? .zero) / 2
        current = bounded(expected.map { $0 * 3 } ?? configuration.initialTimeout)
    }

    mutating func expired() { current = bounded(current * 2) }

    private func bounded(_ timeout: Duration) -> Duration {
        min(max(timeout, configuration.minimumTimeout), configuration.maximumTimeout)
    }
}
