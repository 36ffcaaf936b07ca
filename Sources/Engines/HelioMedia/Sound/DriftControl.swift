/// Keeps the buffer at its target by playing a little faster or slower: what two clocks differ by is taken up so.
///
/// A proportional and integral control, critically damped, with a time constant of some seconds; the integral is the
/// difference of the clocks. It is bounded to 450 ppm, less than a cent of pitch.
struct DriftControl: Sendable {
    private static let most = 450e-6
    private static let proportional = 0.15
    private static let integral = 0.15 * 0.15 / 4
    /// Further away than this (in seconds) something else is at work than clocks.
    private static let reach = 0.005

    /// By how much more input is played than the rates say, as a part.
    private(set) var correction = 0.0
    /// How much of it is the clocks' difference.
    private(set) var drift = 0.0

    /// Takes by how much the delay is above its target, in seconds.
    mutating func take(error: Double, elapsed: Double) {
        let elapsed = min(elapsed, 0.1)
        if abs(error) <= Self.reach {
            drift = min(max(drift + Self.integral * error * elapsed, -Self.most), Self.most)
        }
        let near = min(max(error, -Self.reach), Self.reach)
        correction = min(max(drift + Self.proportional * near, -Self.most), Self.most)
    }
}
