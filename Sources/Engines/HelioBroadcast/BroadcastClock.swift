package import HelioCore

/// Converts capture instants to media times: video and sound share one clock that starts at zero and never goes back.
///
/// A picture's media time is its capture time since the start. A sound packet's media time is counted in samples, so
/// that packets follow each other without gaps. Each packet corrects the error, which is the difference between capture
/// time and media time: a small error by at most a thousandth of the packet's length, so that sound from a sound card
/// with a different clock rate stays in sync with the video. If sound is missing, the media time of sound jumps ahead.
package struct BroadcastClock: Sendable {
    /// The minimum time between two pictures: 1 ms, so that their RTMP timestamps, which count milliseconds, differ.
    package static let step = Duration.milliseconds(1)
    /// The error above which sound counts as missing, so that the media time of sound jumps to the capture time.
    package static let gap = Duration.milliseconds(100)
    /// The error up to which the correction is at most a thousandth of a packet's length per packet; above, it is at
    /// most a twentieth.
    private static let close = Duration.milliseconds(20)

    private struct Sound: Sendable {
        /// The media time of the next packet, if no sound is missing before it.
        var next: Duration
        /// The number of the next packet's first sample, if no sound is missing before it.
        var sample: Int64
    }

    private var start: Instant?
    private var lastPicture: Duration?
    private var sound: Sound?

    package init() {}

    /// True once ``start(at:)`` was called.
    package var hasStarted: Bool { start != nil }

    /// Starts the clock, with this instant as media time zero.
    package mutating func start(at captured: Instant) {
        start = captured
        lastPicture = nil
        sound = nil
    }

    /// The media time of a picture; `nil` before the start.
    package mutating func picture(captured: Instant) -> Duration? {
        guard let start else { return nil }
        var time = max(.zero, captured - start)
        if let lastPicture { time = max(time, lastPicture + Self.step) }
        lastPicture = time
        return time
    }

    /// The media time of a packet of sound; `nil` before the start, and for a first packet that was captured before the
    /// start.
    ///
    /// - Parameters:
    ///   - sample: the number of the packet's first sample, at 48 kHz.
    ///   - frames: the packet's length in samples per channel at 48 kHz, at least 1.
    package mutating func sound(captured: Instant, sample: Int64, frames: Int) -> Duration? {
        guard let start else { return nil }
        let heard = captured - start
        let length = Duration.nanoseconds(Int64(min(max(frames, 1), 1 << 20)) * 1_000_000_000 / 48000)
        guard let last = sound else {
            guard heard >= .zero else { return nil }
            sound = Sound(next: heard + length, sample: sample &+ Int64(frames))
            return heard
        }
        // The sample number has jumped: add the duration of the missing sound, unless the numbering was reset.
        let passed = sample &- last.sample
        var time = last.next
        if passed > 0, passed < 48000 { time += .nanoseconds(passed * 1_000_000_000 / 48000) }
        let error = heard - time
        if error > Self.gap {
            time = heard
        } else {
            let size = error < .zero ? .zero - error : error
            // Correct by at most a twentieth of a packet's length, so that the media time still advances.
            let most = size > Self.close ? length / 20 : length / 1000
            time += error < .zero ? .zero - min(size, most) : min(size, most)
        }
        sound = Sound(next: time + length, sample: sample &+ Int64(frames))
        return time
    }
}
