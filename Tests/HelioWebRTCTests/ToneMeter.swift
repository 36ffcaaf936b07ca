import Foundation

/// Finds in what is heard the tone between two rests. The programs of the foreign peers measure in the same way.
struct ToneMeter {
    private static let quietest = Float(TestTone.amplitude / 10)
    /// Sample frames that are looked at together, and the number of them, all quiet, that are a rest and no gap: 50 ms.
    private static let block = 120
    private static let resting = 20
    /// The ends of a tone are soft in Opus: so many frames of both are left out of pitch and level.
    private static let edge = 960

    private var waiting: [Float] = []
    private var tone: [[Float]] = [[], []]
    private var quiet = resting
    private var gaps = 0
    private var onset: Double?

    /// Takes interleaved stereo, the end of which is heard at `now`, in seconds since 1970; gives the tone that has
    /// ended in it.
    mutating func hear(_ samples: [Float], now: Double) -> HeardTone? {
        waiting += samples
        var heard: HeardTone?
        while waiting.count >= 2 * Self.block {
            let when = now - Double(waiting.count / 2) / Double(TestTone.rate)
            heard = take(Array(waiting.prefix(2 * Self.block)), when) ?? heard
            waiting.removeFirst(2 * Self.block)
        }
        return heard
    }

    private mutating func take(_ block: [Float], _ when: Double) -> HeardTone? {
        guard block.contains(where: { abs($0) >= Self.quietest }) else {
            quiet += 1
            return quiet == Self.resting ? end() : nil
        }
        if quiet >= Self.resting {
            (onset, gaps, tone) = (when, 0, [[], []])
        } else {
            gaps += quiet
        }
        quiet = 0
        // What was there before the first rest has no beginning.
        if onset != nil, tone[0].count < 2 * TestTone.rate {
            for (place, sample) in block.enumerated() { tone[place % 2].append(sample) }
        }
        return nil
    }

    private mutating func end() -> HeardTone? {
        defer { onset = nil }
        guard let onset, tone[0].count > 3 * Self.edge else { return nil }
        let late = (onset - Double(TestTone.rest) / Double(TestTone.rate)).truncatingRemainder(dividingBy: 1)
        let millisecond = Double(TestTone.rate) / 1000
        return HeardTone(
            ears: tone.map { ear in
                let samples = ear[Self.edge..<ear.count - Self.edge].map(Double.init)
                return (Self.frequency(samples), Self.level(samples))
            }, length: Double(tone[0].count) / millisecond, gaps: Double(gaps * Self.block) / millisecond,
            delay: 1000 * (late < 0.9 ? late : late - 1))
    }

    /// By the time between rising zeros. Those far from the median are splices.
    private static func frequency(_ samples: [Double]) -> Double {
        var rising: [Double] = []
        for (place, (before, after)) in zip(samples, samples.dropFirst()).enumerated() where before < 0 && after >= 0 {
            rising.append(Double(place + 1) - after / (after - before))
        }
        let periods = zip(rising, rising.dropFirst()).map { $1 - $0 }.sorted()
        guard !periods.isEmpty else { return 0 }
        let median = periods[periods.count / 2]
        let near = periods.filter { abs($0 / median - 1) < 0.02 }
        return Double(TestTone.rate * near.count) / near.reduce(0, +)
    }

    private static func level(_ samples: [Double]) -> Double {
        let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
        return power > 0 ? 10 * log10(2 * power) : -200
    }
}
