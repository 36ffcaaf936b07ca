internal import DequeModule
import HelioCore

/// The bits a second that a changing picture needs to be readable, by what the last second's pictures cost.
///
/// A picture's bits at its own quantiser are converted to those at `quantiser`: six steps halve them. So it says what is
/// needed also where less is sent, and where all is sent that there is.
struct LiveDemand: Sendable {
    /// The coarsest quantiser at which text can be read and video looked at.
    static let quantiser = 38
    private static let window = Duration.seconds(1)

    /// The bits a second at `quantiser`.
    private(set) var bitsPerSecond = 0.0
    private var pictures = Deque<(at: Instant, bits: Double)>()

    /// The pictures a second, of those that came in the last one.
    var picturesPerSecond: Int {
        span < .milliseconds(100) ? pictures.count : Int((Double(pictures.count - 1) / span.inSeconds).rounded())
    }

    /// The time that the pictures span.
    var span: Duration {
        guard let first = pictures.first, let last = pictures.last else { return .zero }
        return last.at - first.at
    }

    /// Notes a picture and the bits that it needs at `quantiser`.
    mutating func note(_ bits: Double, now: Instant) {
        pictures.append((now, bits))
        bitsPerSecond += bits
        while let oldest = pictures.first, now - oldest.at >= Self.window {
            bitsPerSecond = max(0, bitsPerSecond - oldest.bits)
            pictures.removeFirst()
        }
    }

    /// The bits at `quantiser` of a picture that took so many at another one.
    static func bits(_ bits: Int, at quantiser: Int) -> Double {
        var (value, steps) = (Double(bits), quantiser - Self.quantiser)
        while steps >= 6 { (value, steps) = (value * 2, steps - 6) }
        while steps <= -6 { (value, steps) = (value / 2, steps + 6) }
        // 2^(1/6)
        while steps > 0 { (value, steps) = (value * 1.122462048, steps - 1) }
        while steps < 0 { (value, steps) = (value / 1.122462048, steps + 1) }
        return value
    }
}
