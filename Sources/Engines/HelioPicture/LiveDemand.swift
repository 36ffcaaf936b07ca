internal import DequeModule
import HelioCore

/// The bitrate that changing content needs to be readable, estimated from the coded pictures of the last second.
///
/// A picture's size at its own quantiser is converted to its size at `quantiser`: six quantiser steps halve the bits.
/// So the need is known even if the encoder has reduced the quality to fit the rate.
struct LiveDemand: Sendable {
    /// The coarsest quantiser at which text can be read and video watched.
    static let quantiser = 38
    private static let window = Duration.seconds(1)

    /// The bits a second at `quantiser`.
    private(set) var bitsPerSecond = 0.0
    private var pictures = Deque<(at: Instant, bits: Double)>()

    /// The picture rate over the last second.
    var picturesPerSecond: Int {
        span < .milliseconds(100) ? pictures.count : Int((Double(pictures.count - 1) / span.inSeconds).rounded())
    }

    /// The time between the first and the last picture in the window.
    var span: Duration {
        guard let first = pictures.first, let last = pictures.last else { return .zero }
        return last.at - first.at
    }

    /// Records a picture and the bits that it needs at `quantiser`.
    mutating func note(_ bits: Double, now: Instant) {
        pictures.append((now, bits))
        bitsPerSecond += bits
        while let oldest = pictures.first, now - oldest.at >= Self.window {
            bitsPerSecond = max(0, bitsPerSecond - oldest.bits)
            pictures.removeFirst()
        }
    }

    /// Converts a picture's bits at another quantiser to those at `quantiser`.
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
