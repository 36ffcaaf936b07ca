package import HelioCore

/// Turns capture instants into media times: picture and sound on one clock that starts at zero and never goes back.
///
/// A picture's time is that of its capture. Sound's time is counted in samples, so that packets follow each other without
/// gaps, and is drawn towards the capture instants, by at most a thousandth of a packet's length while it is close: so a
/// sound card whose clock runs at another rate stays in step with the picture. Where sound is missing it jumps ahead.
package struct BroadcastClock: Sendable {
    /// The least time between two pictures: what RTMP, which counts milliseconds, can tell apart.
    package static let step = Duration.milliseconds(1)
    /// What sound is off by when some of it is missing, and its time jumps.
    package static let gap = Duration.milliseconds(100)
    /// What is drawn in slowly.
    private static let close = Duration.milliseconds(20)

    private struct Sound: Sendable {
        /// The next packet's time, and its first sample's number, where nothing is missing before it.
        var next: Duration
        var sample: Int64
    }

    private var start: Instant?
    private var lastPicture: Duration?
    private var sound: Sound?

    package init() {}

    /// True once ``start(at:)`` was called.
    package var hasStarted: Bool { start != nil }

    /// Starts: this instant is zero.
    package mutating func start(at captured: Instant) {
        start = captured
        lastPicture = nil
        sound = nil
    }

    /// The time of a picture; `nil` before the start.
    package mutating func picture(captured: Instant) -> Duration? {
        guard let start else { return nil }
        var time = max(.zero, captured - start)
        if let lastPicture { time = max(time, lastPicture + Self.step) }
        lastPicture = time
        return time
    }

    /// The time of a packet of sound; `nil` before the start, and for what was captured before it.
    ///
    /// - Parameters:
    ///   - sample: the number of its first sample, at 48 kHz.
    ///   - frames: its length, in samples of each channel at 48 kHz; 1 at least.
    package mutating func sound(captured: Instant, sample: Int64, frames: Int) -> Duration? {
        guard let start else { return nil }
        let heard = captured - start
        let length = Duration.nanoseconds(Int64(min(max(frames, 1), 1 << 20)) * 1_000_000_000 / 48000)
        guard let last = sound else {
            guard heard >= .zero else { return nil }
            sound = Sound(next: heard + length, sample: sample &+ Int64(frames))
            return heard
        }
        // What is missing by the count of samples; a count that begins anew tells nothing.
        let passed = sample &- last.sample
        var time = last.next
        if passed > 0, passed < 48000 { time += .nanoseconds(passed * 1_000_000_000 / 48000) }
        let error = heard - time
        if error > Self.gap {
            time = heard
        } else {
            let size = error < .zero ? .zero - error : error
            // Back at a twentieth of a packet's length at most: its own time still goes on.
            let most = size > Self.close ? length / 20 : length / 1000
            time += error < .zero ? .zero - min(size, most) : min(size, most)
        }
        sound = Sound(next: time + length, sample: sample &+ Int64(frames))
        return time
    }
}
