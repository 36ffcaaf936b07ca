import Foundation

/// Finds the tone between two pauses in received sound, by the same method as the foreign peers' programs.
struct ToneMeter {
    private static let quietest = Float(TestTone.amplitude / 10)
    /// The sample frames of an analysis block, and the number of consecutive quiet blocks (50 ms) that make a pause
    /// instead of a gap.
    private static let block = 120
    private static let resting = 20
    /// Opus fades the ends of a tone: this many frames at either end are excluded from pitch and level.
    private static let edge = 960

    private var waiting: [Float] = []
    private var tone: [[Float]] = [[], []]
    private var quiet = resting
    private var gaps = 0
    private var onset: Double?

    /// Processes interleaved stereo samples whose end is played at `now`, in seconds since 1970; returns the tone that
    /// has ended in them.
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
        // A tone that was already playing before the first pause has no known onset.
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

    /// The frequency by the intervals of upward zero crossings. Those far from the median are splices, and are ignored.
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
