package import HelioCore

/// The conversion of capture instants to media times: video and sound on one clock that starts at zero and never goes
/// back.
///
/// A picture's time is that of its capture. Sound's time is counted in samples, so that packets follow each other
/// without gaps, and is corrected towards the capture instants, by at most a thousandth of a packet's length while it
/// is close: so a sound card with a different clock rate stays in step with the video. Where sound is missing, its time
/// jumps ahead.
package struct BroadcastClock: Sendable {
    /// The shortest time between two pictures, so that their RTMP timestamps, in milliseconds, differ.
    package static let step = Duration.milliseconds(1)
    /// The error above which sound is considered missing, so that its time jumps.
    package static let gap = Duration.milliseconds(100)
    /// The error up to which sound is corrected slowly: by at most a thousandth of a packet's length per packet.
    private static let close = Duration.milliseconds(20)

    private struct Sound: Sendable {
        /// The media time and first sample number of the next packet, if no sound is missing before it.
        var next: Duration
        var sample: Int64
    }

    private var start: Instant?
    private var lastPicture: Duration?
    private var sound: Sound?

    package init() {}

    /// True once ``start(at:)`` was called.
    package var hasStarted: Bool { start != nil }

    /// Starts the clock: this instant is time zero.
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

    /// The media time of a packet of sound; `nil` before the start, and for a first packet captured before it.
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
        // A jump of the sample number shows how much sound is missing, unless the numbering was reset.
        let passed = sample &- last.sample
        var time = last.next
        if passed > 0, passed < 48000 { time += .nanoseconds(passed * 1_000_000_000 / 48000) }
        let error = heard - time
        if error > Self.gap {
            time = heard
        } else {
            let size = error < .zero ? .zero - error : error
            // The time goes back by at most a twentieth of a packet's length, so that it still advances.
            let most = size > Self.close ? length / 20 : length / 1000
            time += error < .zero ? .zero - min(size, most) : min(size, most)
        }
        sound = Sound(next: time + length, sample: sample &+ Int64(frames))
        return time
    }
}
