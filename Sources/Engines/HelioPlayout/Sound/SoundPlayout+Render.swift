package import HelioCore

// Renders the samples that the output requests.
extension SoundPlayout {
    /// The maximum duration rendered at once; longer chunks are rendered in parts.
    private static let part = Duration.milliseconds(100)
    /// The excess over the target delay, in seconds, beyond which playback jumps ahead.
    private static let jump = 0.1
    /// The deviations above and below the target delay, in seconds, beyond which sound is shortened or lengthened.
    private static let tolerance = (above: 0.008, below: 0.003)
    /// The number of frames that are compared to find a seam, and cross-faded there: 5 ms.
    private static let seam = 240
    /// The maximum time to wait for late packets after a stall before playback resumes, in seconds.
    private static let burst = 0.08
    private static let silent: Float = 0.001
    private static let fullRamp = 0.01

    /// Fills `samples` with interleaved sound in the output's format.
    ///
    /// - Parameter heard: the time at which the first sample will be heard.
    package func render(_ samples: inout MutableSpan<Float>, heard: Instant, now: Instant) {
        let channels = configuration.output.channels
        let frames = samples.count / channels
        guard frames > 0, let seconds = seconds(now) else {
            for index in samples.indices { samples[index] = 0 }
            return
        }
        let elapsed = schedule.asked(frames, now: seconds)
        let needed = resampler.framesNeeded(for: frames)
        if !isPlaying { begin(needed, seconds) }
        if isPlaying {
            steer(needed, seconds, elapsed)
        } else if quiet > 4096 {
            return renderSilence(&samples, frames)
        }
        let first = Double(head - Int64(line.count)) - resampler.pending
        // The concealed sound may replace no media time, so `head` does not advance during concealment, and the media
        // time of the played sound is unknown.
        let isKnown = concealed == 0
        let part = configuration.output.sampleRate * Int(Self.part.milliseconds) / 1000
        var done = 0
        while done < frames {
            let count = min(part, frames - done)
            let input = resampler.framesNeeded(for: count)
            fill(input)
            line.play(input, to: &resampler)
            resampler.produce(count, into: &samples, at: done)
            done += count
        }
        for index in frames * channels..<samples.count { samples[index] = 0 }
        let peak = applyGain(&samples, frames)
        meter(peak, frames)
        let isHeard = isKnown && isPlaying && gain > 0 && quiet < configuration.output.sampleRate
        presented = isHeard ? captured(first).map { ($0, heard) } : nil
    }

    private func renderSilence(_ samples: inout MutableSpan<Float>, _ frames: Int) {
        for index in samples.indices { samples[index] = 0 }
        gain = isMuted ? 0 : volume
        meter(0, frames)
        presented = nil
    }

    // MARK: Delay

    /// Starts playback at the target delay, if packets are due.
    private func begin(_ needed: Int, _ now: Double) {
        guard let first = packets.first, let last = packets.last else { return }
        let rate = Double(Self.rate)
        let newest = Double(last.time + packetFrames)
        var end = (now - arrivals.required - schedule.spread) * rate
        if brokeOff {
            // The delayed packets arrive all at once after a stall, so wait for them: playback that began now would
            // have to skip a moment later.
            let since = resumed ?? now
            resumed = since
            if newest < end - 0.05 * rate, now - since < Self.burst { return }
        }
        end = min(end, newest)
        guard first.time < Int64(end) else { return }
        judgeBreak(first)
        // Count the waiting frames in the line, which are silence, as part of the requested chunk.
        head = Int64(end) - Int64(needed) + Int64(line.count)
        let skipped = packets.remove(before: head, length: packetFrames)
        if skipped > 0 { drops.count(.skipped, skipped) }
        isPlaying = true
        isLeading = true
        resumed = nil
        brokeOff = false
    }

    /// Counts an underrun if the silence before the resumed sound was not intended by the source.
    private func judgeBreak(_ next: SoundPackets.Packet) {
        guard brokeOff, let lastSequence else { return }
        let isMeant = next.sequence == lastSequence &+ 1 && next.time > head + packetFrames / 2
        guard !isMeant else { return }
        statistics.underruns += 1
        if brokeOffLoud { statistics.gaps += 1 }
    }

    /// Corrects the delay towards its target: by the playback rate, by stretching, or by a jump.
    private func steer(_ needed: Int, _ now: Double, _ elapsed: Double) {
        let rate = Double(Self.rate)
        let position = head - Int64(line.count)
        let chunk = Double(needed) / rate
        let slack = now - Double(position) / rate - chunk - schedule.spread
        let error = slack - arrivals.required
        // Skip the correction during concealment, as the played media time is unknown.
        guard concealed == 0 else { return }
        control.take(error: error, elapsed: elapsed)
        resampler.correction = control.correction
        statistics.targetDelay = (arrivals.required - arrivals.shortest + chunk) * 1000
        statistics.delay = (slack - arrivals.shortest + chunk) * 1000
        statistics.jitter = arrivals.jitter * 1000
        statistics.drift = control.drift * 1e6
        if error > Self.jump {
            jump(by: Int64(error * rate), needed)
        } else if error > Self.tolerance.above {
            shorten(error, now)
        } else if error < -Self.tolerance.below {
            lengthen(-error, now)
        }
    }

    private func jump(by frames: Int64, _ needed: Int) {
        guard let last = packets.last else { return }
        let position = head - Int64(line.count)
        let target = min(position + frames, last.time + packetFrames - Int64(needed))
        guard target > position else { return }
        statistics.gaps += 1
        statistics.shortened += Double(target - position) * 1000 / Double(Self.rate)
        line.cut()
        let skipped = packets.remove(before: target, length: packetFrames)
        if skipped > 0 { drops.count(.skipped, skipped) }
        head = max(target, packets.first.map { $0.time } ?? target)
        unaccounted = 0
        lastSequence = packets.first.map { $0.sequence &- 1 }
    }

    private func shorten(_ error: Double, _ now: Double) {
        let isUrgent = error > 0.04
        guard now - lastStretch >= (isUrgent ? 0.03 : 0.1) else { return }
        let most = min(PitchSearch.lags.upperBound, Int(error * Double(Self.rate)))
        prefetch(most + Self.seam)
        guard line.count >= PitchSearch.lags.lowerBound + Self.seam else { return }
        if line.peak(of: line.count) < Self.silent {
            let lag = min(line.count - Self.seam, Int(error * Double(Self.rate)))
            line.shorten(by: lag, fade: Self.seam)
            return stretched(&statistics.shortened, lag, now)
        }
        let reach = min(most, line.count - Self.seam)
        guard let (lag, likeness) = line.seam(of: Self.seam, forward: true, most: reach),
            likeness >= Self.likeness(error, now - lastStretch)
        else { return }
        line.shorten(by: lag, fade: Self.seam)
        stretched(&statistics.shortened, lag, now)
    }

    private func lengthen(_ lack: Double, _ now: Double) {
        guard now - lastStretch >= (lack > 0.02 ? 0.03 : 0.06) else { return }
        prefetch(Self.seam)
        let most = max(PitchSearch.lags.lowerBound, Int(lack * Double(Self.rate)))
        guard let (lag, likeness) = line.seam(of: Self.seam, forward: false, most: most),
            likeness >= Self.likeness(lack, now - lastStretch)
        else { return }
        line.lengthen(by: lag, fade: Self.seam)
        stretched(&statistics.lengthened, lag, now)
    }

    /// The minimum correlation at which two stretches are joined: lower for a large error, or if no seam was found for
    /// long.
    private static func likeness(_ error: Double, _ waited: Double) -> Float {
        Float(max(0.3, 0.9 - max(0, error - 0.01) * 10 - max(0, waited - 0.2)))
    }

    private func stretched(_ sum: inout Double, _ frames: Int, _ now: Double) {
        sum += Double(frames) * 1000 / Double(Self.rate)
        lastStretch = now
    }

    // MARK: Volume

    /// Applies volume and mute, with a ramp if they have changed. Returns the peak magnitude.
    private func applyGain(_ samples: inout MutableSpan<Float>, _ frames: Int) -> Float {
        let channels = configuration.output.channels
        let target = isMuted ? 0 : volume
        if isFirstGain { gain = target }
        isFirstGain = false
        let step = Float(1 / (Self.fullRamp * Double(configuration.output.sampleRate)))
        var gain = gain
        var peak: Float = 0
        samples.withUnsafeMutableBufferPointer { samples in
            if gain == target {
                for index in 0..<frames &* channels {
                    let value = samples[index] * gain
                    samples[index] = value
                    peak = max(peak, abs(value))
                }
                return
            }
            for frame in 0..<frames {
                gain = gain < target ? min(target, gain + step) : max(target, gain - step)
                for index in frame &* channels..<(frame &+ 1) &* channels {
                    let value = samples[index] * gain
                    samples[index] = value
                    peak = max(peak, abs(value))
                }
            }
        }
        self.gain = gain
        return peak
    }

    private func meter(_ peak: Float, _ frames: Int) {
        quiet = peak < Self.silent && !(gain == 0 && isPlaying) ? min(quiet + frames, 1 << 30) : 0
        let seconds = Float(frames) / Float(configuration.output.sampleRate)
        // The fall approximates 0.1 to the power of `seconds` by the first terms of its series, as chunks are short.
        let fall = max(0, 1 - 2.3026 * min(seconds, 0.4))
        level = max(peak, level * fall)
        if level < 1e-4 { level = 0 }
    }
}
