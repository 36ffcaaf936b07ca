import HelioCore

/// The smoothed arrival rate at the moments when a path was full, and its deviation.
struct FullRate: Sendable {
    private static let smoothing = 0.05
    /// The least deviation assumed, as a share of the rate.
    private static let leastDeviation = 0.05

    /// The rate and its deviation, in bits a second.
    private var known: (rate: Double, deviation: Double)?

    /// Records the arrival rate at a moment when the path was full. A rate far from the known one replaces it, as it
    /// belongs to another path.
    mutating func note(_ arrived: Bitrate) {
        let rate = Double(arrived.bitsPerSecond)
        guard let known, isNear(rate) else {
            self.known = (rate, rate * 0.1)
            return
        }
        let error = rate - known.rate
        self.known = (
            known.rate + Self.smoothing * error,
            known.deviation + Self.smoothing * (abs(error) - known.deviation)
        )
    }

    /// Returns whether this rate is so close to the known one that the path is probably full.
    func isNear(_ rate: Double) -> Bool { tolerance.map { abs(rate - $0.middle) <= $0.most } ?? false }

    /// Forgets the known rate if `rate`, the present sending rate, is clearly above it.
    mutating func forget(below rate: Double) {
        if let tolerance, rate > tolerance.middle + tolerance.most { known = nil }
    }

    private var tolerance: (middle: Double, most: Double)? {
        known.map { ($0.rate, 3 * max($0.deviation, $0.rate * Self.leastDeviation)) }
    }
}
