import Foundation

/// The tone that the ends of a test exchange, as specified in `Programs/README.md` of the foreign peers.
enum TestTone {
    static let rate = 48_000
    static let frequencies = [440.0, 660.0]
    static let amplitude = pow(10, -12.0 / 20)
    /// The number of sample frames at the start of each second of the machine's clock in which the tone pauses, so that
    /// its delay can be measured.
    static let rest = 4800

    /// Seconds since 1970 by the machine's clock.
    static var now: Double { Date().timeIntervalSince1970 }

    /// Returns interleaved stereo samples from a sample frame on, counted since 1970.
    static func samples(from start: Int64, frames: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frames * 2)
        for frame in start..<start + Int64(frames) {
            let place = Int(frame % Int64(rate))
            for frequency in frequencies {
                let turns = frequency * Double(place) / Double(rate)
                samples.append(place < rest ? 0 : Float(amplitude * sin(2 * .pi * turns)))
            }
        }
        return samples
    }
}
