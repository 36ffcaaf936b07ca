import HelioCore

/// The rate at which a path was full, smoothed, and how far that varied.
struct FullRate: Sendable {
    private static let smoothing = 0.05
    /// The least that it is taken to vary, as a share.
    private static let leastDeviation = 0.05

    /// In bits a second.
    private var known: (rate: Double, deviation: Double)?

    /// Notes what arrived when the path was full. What is far from the rates before is another path's.
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

    /// True where the path may well be full at this rate.
    func isNear(_ rate: Double) -> Bool { tolerance.map { abs(rate - $0.middle) <= $0.most } ?? false }

    /// Forgets a rate that the path has turned out to carry with ease.
    mutating func forget(below rate: Double) {
        if let tolerance, rate > tolerance.middle + tolerance.most { known = nil }
    }

    private var tolerance: (middle: Double, most: Double)? {
        known.map { ($0.rate, 3 * max($0.deviation, $0.rate * Self.leastDeviation)) }
    }
}
