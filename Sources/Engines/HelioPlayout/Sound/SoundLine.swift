/// The decoded sound that is about to be played, with the sound played just before.
///
/// The line is bounded: it keeps 50 ms of past sound, and its owner appends at most `room` frames ahead. All seams are
/// cross-faded.
struct SoundLine: Sendable {
    /// The number of past frames kept for concealment and stretching: 50 ms.
    static let history = 2400
    /// The largest number of waiting frames.
    static let room = 16384
    /// The length of a cross-fade from one sound to another, in frames: 5 ms.
    static let fadeFrames = 240

    let channels: Int
    private var samples: [Float]
    /// The index of the next frame to play; the waiting frames end before `end`.
    private var start = Self.history
    private var end = Self.history
    /// The sound that would have followed without a seam, to be cross-faded into the sound appended next; interleaved.
    private var tail: [Float] = []
    private var tailFrames = 0
    private var tailUsed = 0

    init(channels: Int) {
        self.channels = channels
        samples = [Float](repeating: 0, count: (Self.history + Self.room) * channels)
        tail.reserveCapacity(Self.fadeFrames * channels)
    }

    /// The number of waiting frames.
    var count: Int { end - start }

    /// Appends a block, from its frame `first` on.
    mutating func append(_ block: [Float], from first: Int = 0) {
        let frames = block.count / channels - first
        guard frames > 0 else { return }
        makeRoom(frames)
        let (offset, channels, at) = (first * channels, channels, end * channels)
        samples.withUnsafeMutableBufferPointer { samples in
            block.withUnsafeBufferPointer { block in
                guard let samples = samples.baseAddress, let block = block.baseAddress else { return }
                (samples + at).update(from: block + offset, count: frames * channels)
            }
        }
        appended(frames)
    }

    mutating func appendSilence(_ frames: Int) {
        guard frames > 0 else { return }
        makeRoom(frames)
        let (from, count) = (end * channels, frames * channels)
        samples.withUnsafeMutableBufferPointer { $0.baseAddress?.advanced(by: from).update(repeating: 0, count: count) }
        appended(frames)
    }

    /// Cross-fades from `next`, the sound that would have followed, into the sound appended next.
    mutating func fade(from next: [Float]) {
        tail = next
        tailFrames = next.count / channels
        tailUsed = 0
    }

    /// Fades from silence into the sound appended next. If the sound before is still fading into the silence,
    /// cross-fades from its remainder.
    mutating func fadeIn() {
        var next = [Float](repeating: 0, count: Self.fadeFrames * channels)
        for frame in 0..<min(Self.fadeFrames, tailFrames - tailUsed) {
            let part = 1 - (Float(tailUsed + frame) + 0.5) / Float(tailFrames)
            for channel in 0..<channels {
                next[frame * channels + channel] = tail[(tailUsed + frame) * channels + channel] * part
            }
        }
        fade(from: next)
    }

    /// Discards the waiting sound, and cross-fades from its beginning into the sound appended next.
    mutating func cut() {
        let frames = min(count, Self.fadeFrames)
        var next = Array(samples[start * channels..<(start + frames) * channels])
        if frames < Self.fadeFrames {
            var repeater = repeated()
            next += repeater.take(Self.fadeFrames - frames)
        }
        end = start
        fade(from: next)
    }

    /// Passes the next frames to the resampler.
    mutating func play(_ frames: Int, to resampler: inout SoundResampler) {
        let frames = min(frames, count)
        resampler.push(samples.span.extracting(start * channels..<(start + frames) * channels))
        start += frames
    }

    /// The largest magnitude of a sample in the next frames.
    func peak(of frames: Int) -> Float {
        let range = start * channels..<(start + min(frames, count)) * channels
        return samples.withUnsafeBufferPointer { samples in
            var peak: Float = 0
            for index in range { peak = max(peak, abs(samples[index])) }
            return peak
        }
    }

    // MARK: Stretching

    /// The best length to cut out (`forward`) or to repeat at the next frame, with its correlation; `nil` if too few
    /// frames are available.
    ///
    /// - Parameters:
    ///   - frames: the number of frames compared and cross-faded. At least this number of frames has to wait; with
    ///     `forward`, the number plus the longest shift.
    ///   - most: the maximum length in frames.
    func seam(of frames: Int, forward: Bool, most: Int) -> (lag: Int, correlation: Float)? {
        let upper = min(most, PitchSearch.lags.upperBound) / 4 * 4
        guard upper >= PitchSearch.lags.lowerBound,
            forward ? count >= frames + upper : count >= frames && start >= upper
        else { return nil }
        return samples.withUnsafeBufferPointer {
            PitchSearch.best(
                in: $0, channels: channels, first: start, count: frames, forward: forward,
                lags: PitchSearch.lags.lowerBound...upper)
        }
    }

    /// Cuts out `lag` frames with a cross-fade of `fade` frames. At least `lag + fade` frames have to wait.
    mutating func shorten(by lag: Int, fade: Int) {
        precondition(lag + fade <= count)
        mix(from: start, into: start + lag, fade)
        movePast(by: lag)
        start += lag
    }

    /// Repeats the last `lag` frames with a cross-fade of `fade` frames. At least `fade` frames have to wait.
    mutating func lengthen(by lag: Int, fade: Int) {
        precondition(lag <= start && fade <= count)
        movePast(by: -lag)
        mix(from: start, into: start - lag, fade)
        start -= lag
    }

    /// Cross-fades from the frames at `old` to those at `new`, and writes the result at `new`.
    private mutating func mix(from old: Int, into new: Int, _ frames: Int) {
        let channels = channels
        samples.withUnsafeMutableBufferPointer { samples in
            for step in 0..<frames {
                // Go in the order that reads each frame before it is overwritten.
                let frame = new > old ? frames - 1 - step : step
                let part = (Float(frame) + 0.5) / Float(frames)
                for channel in 0..<channels {
                    let (a, b) = ((old + frame) * channels + channel, (new + frame) * channels + channel)
                    samples[b] = samples[a] + (samples[b] - samples[a]) * part
                }
            }
        }
    }

    /// Moves the past sound by `lag` frames, so that it ends at the new position of the next frame to play.
    private mutating func movePast(by lag: Int) {
        let first = max(0, max(start - Self.history, -lag))
        let (from, to, count) = (first * channels, (first + lag) * channels, (start - first) * channels)
        samples.withUnsafeMutableBufferPointer { samples in
            guard count > 0, let samples = samples.baseAddress else { return }
            (samples + to).update(from: samples + from, count: count)
        }
    }

    // MARK: Concealment

    /// Returns a repeater of the last pitch period, to replace missing sound. Ends a cross-fade under way, whose result
    /// the period already contains.
    mutating func goOn() -> PitchRepeater {
        tailUsed = tailFrames
        return repeated()
    }

    /// Returns a repeater of the last pitch period.
    func repeated() -> PitchRepeater {
        samples.withUnsafeBufferPointer { PitchRepeater(of: $0, channels: channels, end: end) }
    }

    private mutating func appended(_ frames: Int) {
        if tailUsed < tailFrames { fadeTail(frames) }
        end += frames
    }

    private mutating func fadeTail(_ frames: Int) {
        let (channels, at) = (channels, end)
        let count = min(frames, tailFrames - tailUsed)
        let (used, all) = (tailUsed, Float(tailFrames))
        samples.withUnsafeMutableBufferPointer { samples in
            tail.withUnsafeBufferPointer { tail in
                for frame in 0..<count {
                    let part = (Float(used + frame) + 0.5) / all
                    for channel in 0..<channels {
                        let index = (at + frame) * channels + channel
                        let old = tail[(used + frame) * channels + channel]
                        samples[index] = old + (samples[index] - old) * part
                    }
                }
            }
        }
        tailUsed += count
    }

    private mutating func makeRoom(_ frames: Int) {
        guard (end + frames) * channels > samples.count else { return }
        let first = max(0, start - Self.history)
        let (from, count) = (first * channels, (end - first) * channels)
        samples.withUnsafeMutableBufferPointer { samples in
            guard let samples = samples.baseAddress else { return }
            samples.update(from: samples + from, count: count)
        }
        start -= first
        end -= first
        precondition((end + frames) * channels <= samples.count, "more sound waits than there is room for")
    }
}
