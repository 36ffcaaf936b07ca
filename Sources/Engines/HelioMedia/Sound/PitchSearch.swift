/// Finds by how much sound has to be shifted to be most like itself: where it can be cut, or repeated, unheard.
enum PitchSearch {
    /// The shifts that are tried, in frames of 48 kHz: 2.5 to 15 ms, the periods of 400 to 67 Hz.
    static let lags = 120...720
    /// Frames that are averaged for the first, coarse search.
    private static let coarse = 4

    /// The best shift of the `count` frames from `first` on, and the correlation, -1...1, that it has. Silence is like
    /// itself at any shift: the longest, with 1.
    ///
    /// - Parameters:
    ///   - samples: interleaved; all that any shift touches lies within.
    ///   - forward: true to compare with what comes later, false with what came before.
    ///   - lags: multiples of 4 at both ends.
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

    /// The normalised correlation of two stretches; 1 where one is silent as far as 16 bits tell.
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
