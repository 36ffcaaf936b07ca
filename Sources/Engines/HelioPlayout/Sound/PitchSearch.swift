/// Finds the shift at which sound is most similar to itself: a stretch of that length can be cut out or repeated
/// inaudibly.
enum PitchSearch {
    /// The range of shifts in frames at 48 kHz: 2.5 to 15 ms, the periods of 400 to 67 Hz.
    static let lags = 120...720
    /// The number of frames averaged for the first, coarse search.
    private static let coarse = 4

    /// Returns the best shift of the `count` frames from `first` on, and its normalised correlation, -1...1. For
    /// silence, which matches at any shift, it returns the longest shift and 1.
    ///
    /// - Parameters:
    ///   - samples: interleaved samples, which have to include the frames compared at the longest shift.
    ///   - forward: true to compare with later frames, false with earlier frames.
    ///   - lags: the shifts to try; both bounds are multiples of 4.
    static func best(
        in samples: UnsafeBufferPointer<Float>, channels: Int, first: Int, count: Int, forward: Bool,
        lags: ClosedRange<Int>
    ) -> (lag: Int, correlation: Float) {
        let start = forward ? first : first - lags.upperBound
        let points = (count + lags.upperBound) / coarse
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: points) { average in
            for point in 0..<points {
                var sum: Float = 0
                let offset = (start + point * coarse) * channels
                for index in offset..<offset + coarse * channels { sum += samples[index] }
                average[point] = sum
            }
            let average = UnsafeBufferPointer(average)
            let origin = forward ? 0 : lags.upperBound / coarse
            let direction = forward ? 1 : -1
            let template = count / coarse
            var best = (lag: lags.upperBound, correlation: Float(-2))
            var lag = lags.upperBound
            while lag >= lags.lowerBound {
                let found = correlation(average, origin, origin + direction * lag / coarse, template)
                if found > best.correlation { best = (lag, found) }
                lag -= coarse
            }
            let middle = best.lag
            best.correlation = -2
            for lag in max(lags.lowerBound, middle - coarse + 1)...min(lags.upperBound, middle + coarse - 1) {
                let found = correlation(
                    samples, first * channels, (first + direction * lag) * channels, count * channels)
                if found > best.correlation { best = (lag, found) }
            }
            return best
        }
    }

    /// The normalised correlation of two stretches of samples. If one of them is silent at 16 bits, it is 1 if both are
    /// nearly silent, otherwise 0.
    private static func correlation(_ samples: UnsafeBufferPointer<Float>, _ a: Int, _ b: Int, _ count: Int) -> Float {
        var product: Float = 0
        var energyA: Float = 0
        var energyB: Float = 0
        for index in 0..<count {
            let (x, y) = (samples[a &+ index], samples[b &+ index])
            product += x * y
            energyA += x * x
            energyB += y * y
        }
        let silence = Float(count) * 1e-9
        guard energyA > silence, energyB > silence else { return max(energyA, energyB) > silence * 1000 ? 0 : 1 }
        return product / (energyA * energyB).squareRoot()
    }
}
