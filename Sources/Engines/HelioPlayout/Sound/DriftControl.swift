/// Keeps the playout delay at its target by playing slightly faster or slower, which compensates for the drift between
/// two clocks.
///
/// The control is proportional-integral and critically damped, with a time constant of some seconds; the integral part
/// estimates the drift. The correction is limited to 450 ppm, less than a cent of pitch.
struct DriftControl: Sendable {
    private static let most = 450e-6
    private static let proportional = 0.15
    private static let integral = 0.15 * 0.15 / 4
    /// The limit of the error in seconds. A larger error is not caused by the clocks, so it does not change `drift`.
    private static let reach = 0.005

    /// The relative amount by which more input is consumed than the sample rates imply.
    private(set) var correction = 0.0
    /// The part of `correction` that compensates for the drift between the clocks.
    private(set) var drift = 0.0

    /// Updates the correction.
    ///
    /// - Parameters:
    ///   - error: the delay minus its target, in seconds.
    ///   - elapsed: the time since the last update, in seconds.
    mutating func take(error: Double, elapsed: Double) {
        let elapsed = min(elapsed, 0.1)
        if abs(error) <= Self.reach {
            drift = min(max(drift + Self.integral * error * elapsed, -Self.most), Self.most)
        }
        let near = min(max(error, -Self.reach), Self.reach)
        correction = min(max(drift + Self.proportional * near, -Self.most), Self.most)
    }
}
