#if DEBUG
// Use long vectors without optimisation, as each vector operation is then a call.
private typealias Lanes = SIMD32<Float>
#else
// Use vectors that fit the processor's registers, as longer vectors go through memory, which takes twenty times as
// long.
private typealias Lanes = SIMD8<Float>
#endif

/// Converts sound from one sample rate to another, and corrects the rate continuously for the drift between two clocks.
///
/// The resampler is a polyphase filter: a Kaiser-windowed sinc, tabulated for `phases` phases and interpolated between
/// them. Apart from errors more than 80 dB below full scale, a tone keeps its pitch and level up to 0.8 of the lower
/// rate's Nyquist frequency. The output begins at the time of the first input frame, and needs `taps / 2` input frames
/// of look-ahead: see `pending`.
///
/// The number of input frames needed for an output is always computed from both rates (requirement row 75).
package struct SoundResampler: Sendable {
    private static let phases = 256
    /// The Kaiser window's parameter for sidelobes at -80 dB.
    private static let beta = 7.86
    /// The middle of the transition band, as a part of the lower rate's Nyquist frequency.
    private static let edge = 0.92

    package let inputRate: Int
    package let outputRate: Int
    package let channels: Int
    private let taps: Int
    /// The filter's coefficients: for each phase and the one after the last, `taps` coefficients, each repeated for
    /// every channel.
    private let table: [Float]
    /// The input buffer, interleaved; its first `heldFrames` frames are still needed.
    private var held: [Float]
    private var heldFrames: Int
    /// The position of the next output frame's first tap: a frame index in `held`, with 32 fractional bits.
    private var position: UInt64 = 0
    private var step: UInt64

    /// The relative amount by which more input is consumed than the rates imply: 0.0003 is 300 ppm, and raises the
    /// pitch by the same ratio. The amount is limited to 1 % in either direction.
    package var correction = 0.0 {
        didSet { step = Self.step(from: inputRate, to: outputRate, correction) }
    }

    /// - Parameters:
    ///   - channels: 1 or 2.
    ///   - taps: the filter's length in frames of the lower rate. A shorter filter is cheaper, but its response is less
    ///     flat.
    package init(from inputRate: Int, to outputRate: Int, channels: Int, taps: Int = 32) {
        precondition(inputRate > 0 && outputRate > 0 && (1...2).contains(channels) && taps > 0)
        self.inputRate = inputRate
        self.outputRate = outputRate
        self.channels = channels
        let ratio = min(1, Double(outputRate) / Double(inputRate))
        // Round up, so that each row of coefficients is a whole number of vectors of 32 scalars.
        let multiple = 32 / channels
        self.taps = (Int((Double(taps) / ratio).rounded(.up)) + multiple - 1) / multiple * multiple
        table = Self.table(taps: self.taps, cutoff: Self.edge * ratio, channels: channels)
        step = Self.step(from: inputRate, to: outputRate, 0)
        heldFrames = self.taps / 2 - 1
        held = [Float](repeating: 0, count: self.taps * 4 * channels)
    }

    /// The number of input frames that have to be pushed before `output` frames can be produced.
    package func framesNeeded(for output: Int) -> Int {
        guard output > 0 else { return 0 }
        let last = position &+ UInt64(output - 1) &* step
        return max(0, Int(last >> 32) + taps - heldFrames)
    }

    /// The number of output frames that can be produced from the input pushed so far.
    package var available: Int {
        let room = heldFrames - taps - Int(position >> 32)
        guard room >= 0 else { return 0 }
        // The span of positions ends before the first position for which an input frame is missing.
        let span = (UInt64(room + 1) << 32) - (position & 0xFFFF_FFFF)
        return Int((span + step - 1) / step)
    }

    /// The time from the next output frame to the end of the pushed input, in input frames.
    package var pending: Double {
        Double(heldFrames) - Double(position) * 0x1p-32 - Double(taps / 2 - 1)
    }

    /// Appends interleaved input.
    package mutating func push(_ samples: Span<Float>) {
        let count = samples.count / channels * channels
        if held.count < heldFrames * channels + count {
            held.append(contentsOf: repeatElement(0, count: heldFrames * channels + count - held.count))
        }
        let offset = heldFrames * channels
        samples.withUnsafeBufferPointer { source in
            held.withUnsafeMutableBufferPointer { held in
                guard count > 0, let source = source.baseAddress, let held = held.baseAddress else { return }
                (held + offset).update(from: source, count: count)
            }
        }
        heldFrames += count / channels
    }

    /// Writes `frames` interleaved frames into the output, from its frame `start` on. The input that they need must
    /// have been pushed.
    package mutating func produce(_ frames: Int, into output: inout MutableSpan<Float>, at start: Int = 0) {
        precondition(framesNeeded(for: frames) == 0 && start >= 0 && (start + frames) * channels <= output.count)
        let width = taps * channels
        var position = position
        let (step, channels) = (step, channels)
        held.withUnsafeBytes { held in
            table.withUnsafeBytes { table in
                output.withUnsafeMutableBufferPointer { output in
                    for frame in start..<start &+ frames {
                        let fraction = position & 0xFFFF_FFFF
                        // The upper 8 bits of the fraction select the phase; the lower bits are the weight of the phase
                        // after it.
                        let row = Int(fraction >> 24) &* width
                        let part = Float(fraction & 0xFF_FFFF) * 0x1p-24
                        let first = Int(position >> 32) &* channels
                        // Apply the filters of both phases.
                        var (before, after) = (Lanes(), Lanes())
                        var offset = 0
                        while offset < width {
                            let x = held.loadUnaligned(fromByteOffset: (first &+ offset) &* 4, as: Lanes.self)
                            before += x * table.loadUnaligned(fromByteOffset: (row &+ offset) &* 4, as: Lanes.self)
                            after +=
                                x
                                * table.loadUnaligned(fromByteOffset: (row &+ width &+ offset) &* 4, as: Lanes.self)
                            offset &+= Lanes.scalarCount
                        }
                        let sum = (before + (after - before) * part).folded
                        if channels == 2 {
                            output[frame &* 2] = sum[0] + sum[2]
                            output[frame &* 2 &+ 1] = sum[1] + sum[3]
                        } else {
                            output[frame] = (sum[0] + sum[2]) + (sum[1] + sum[3])
                        }
                        position &+= step
                    }
                }
            }
        }
        self.position = position
        dropUsed()
    }

    /// Converts the next block of a stream, and returns all frames that can be produced so far. For captured sound,
    /// which arrives without gaps.
    package mutating func convert(_ samples: [Float]) -> [Float] {
        push(samples.span)
        let frames = available
        var output = [Float](repeating: 0, count: frames * channels)
        var span = output.mutableSpan
        produce(frames, into: &span)
        return output
    }

    private mutating func dropUsed() {
        let used = min(Int(position >> 32), heldFrames)
        guard used > 0 else { return }
        let (from, count) = (used * channels, (heldFrames - used) * channels)
        held.withUnsafeMutableBufferPointer { held in
            guard count > 0, let held = held.baseAddress else { return }
            held.update(from: held + from, count: count)
        }
        heldFrames -= used
        position -= UInt64(used) << 32
    }

    private static func step(from input: Int, to output: Int, _ correction: Double) -> UInt64 {
        UInt64((Double(input) / Double(output) * (1 + min(max(correction, -0.01), 0.01)) * 0x1p32).rounded())
    }

    private static func table(taps: Int, cutoff: Double, channels: Int) -> [Float] {
        var table: [Float] = []
        table.reserveCapacity((phases + 1) * taps * channels)
        let middle = Double(taps / 2)
        for phase in 0...phases {
            let shift = Double(phase) / Double(phases)
            let row = (0..<taps).map { tap in
                let t = Double(tap) - (middle - 1) - shift
                return sinc(cutoff * t) * kaiser(t / middle)
            }
            // Each phase is normalised to pass a constant unchanged.
            let sum = row.reduce(0, +)
            for value in row {
                for _ in 0..<channels { table.append(Float(value / sum)) }
            }
        }
        return table
    }

    private static func kaiser(_ x: Double) -> Double {
        guard abs(x) < 1 else { return 0 }
        return bessel(beta * (1 - x * x).squareRoot()) / bessel(beta)
    }

    /// The modified Bessel function of the first kind and order zero, by its series.
    private static func bessel(_ x: Double) -> Double {
        var term = 1.0
        var sum = 1.0
        for k in 1...40 {
            term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
            sum += term
        }
        return sum
    }

    /// The normalised sinc function, sin(πx) / πx, by the series of the sine after reduction to -π/2...π/2.
    private static func sinc(_ x: Double) -> Double {
        guard abs(x) > 1e-9 else { return 1 }
        let nearest = x.rounded()
        let angle = (x - nearest) * Double.pi
        var term = angle
        var sum = angle
        for k in 1...10 {
            term *= -angle * angle / Double(2 * k * (2 * k + 1))
            sum += term
        }
        let isOdd = Int(nearest) % 2 != 0
        return (isOdd ? -sum : sum) / (Double.pi * x)
    }
}

extension SIMD8<Float> {
    /// Four sums, each of the scalars whose indices have the same remainder modulo 4.
    fileprivate var folded: SIMD4<Float> { lowHalf + highHalf }
}

extension SIMD32<Float> {
    /// Four sums, each of the scalars whose indices have the same remainder modulo 4.
    fileprivate var folded: SIMD4<Float> {
        let half = lowHalf + highHalf
        return (half.lowHalf + half.highHalf).folded
    }
}
