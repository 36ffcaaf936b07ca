/// Keeps the buffer at its target by playing slightly faster or slower, which compensates for the difference of two
/// clocks.
///
/// A proportional-integral controller, critically damped, with a time constant of some seconds; the integral is the
/// clocks' difference. It is limited to 450 ppm, less than a cent of pitch.
struct DriftControl: Sendable {
    private static let most = 450e-6
    private static let proportional = 0.15
    private static let integral = 0.15 * 0.15 / 4
    /// The error, in seconds, above which its cause is not the clocks, so that `drift` stays as it is.
    private static let reach = 0.005

    /// The relative amount by which more input is played than the rates imply.
    private(set) var correction = 0.0
    /// The part of `correction` that compensates for the clocks' difference.
    private(set) var drift = 0.0

    /// Updates the correction by the delay's error above its target, and the time since the last update, in seconds.
    mutating func take(error: Double, elapsed: Double) {
        let elapsed = min(elapsed, 0.1)
        if abs(error) <= Self.reach {
            drift = min(max(drift + Self.integral * error * elapsed, -Self.most), Self.most)
        }
        let near = min(max(error, -Self.reach), Self.reach)
        correction = min(max(drift + Self.proportional * near, -Self.most), Self.most)
    }
}
