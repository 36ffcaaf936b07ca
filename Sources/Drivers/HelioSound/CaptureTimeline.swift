internal import HelioCore

/// Assigns times to captured samples: counts the device's samples, and skips ahead by the machine's clock if sound is
/// missing.
///
/// A device's timestamps are occasionally early or late by tens of milliseconds on a busy machine. Such outliers are
/// ignored: sound counts as missing only if all timestamps within `patience` deviate to the same side. Times never
/// decrease.
struct CaptureTimeline {
    /// The maximum deviation of a timestamp that does not indicate a gap.
    private static let evenness = Duration.milliseconds(40)
    /// The maximum number of timestamps in the running mean.
    private static let mostWeight = 64

    /// The time for which timestamps must deviate before sound counts as missing, in sample frames.
    private let patience: Int
    /// A time of the stream in sample frames, and the instant at which that frame was captured.
    private var anchor: (time: Int64, captured: Instant)?
    private var weight = 1
    private var isInterrupted = false
    /// The number of sample frames for which timestamps have deviated to one side, and their smallest deviation in
    /// nanoseconds.
    private var odd: (frames: Int, least: Int64)?

    /// - Parameter patience: the time for which timestamps must deviate before sound counts as missing; zero for exact
    ///   timestamps.
    init(patience: Duration) { self.patience = Int(patience.frames) }

    /// Marks a gap: the next block is placed by its timestamp.
    mutating func interrupt() { isInterrupted = true }

    /// Places a block of sound on the timeline.
    ///
    /// - Parameters:
    ///   - next: the block's time if no sound is missing before it, in sample frames.
    ///   - captured: the time at which the first sample was captured.
    ///   - frames: the block's length in sample frames.
    /// - Returns: the block's time, `next` or later.
    mutating func place(_ next: Int64, captured: Instant, frames: Int) -> Int64 {
        guard let anchor else { return begin(max(next, captured.frames), captured) }
        if isInterrupted { return begin(max(next, anchor.time + (captured - anchor.captured).frames), captured) }
        let expected = instant(of: next)
        let error = (captured - expected).nanoseconds
        guard abs(error) > Self.evenness.nanoseconds else {
            odd = nil
            weight = min(weight + 1, Self.mostWeight)
            self.anchor = (next, expected + .nanoseconds(error / Int64(weight)))
            return next
        }
        let before = odd.flatMap { ($0.least < 0) == (error < 0) ? $0 : nil }
        let least = before.map { abs($0.least) < abs(error) ? $0.least : error } ?? error
        odd = ((before?.frames ?? 0) + frames, least)
        guard (before?.frames ?? 0) + frames > patience else {
            self.anchor = (next, expected)
            return next
        }
        // Sound can't be captured early: if all timestamps are early, the assumed instants were too late, so correct
        // only these.
        return begin(least > 0 ? next + Duration.nanoseconds(least).frames : next, expected + .nanoseconds(least))
    }

    private mutating func begin(_ time: Int64, _ captured: Instant) -> Int64 {
        anchor = (time, captured)
        weight = 1
        isInterrupted = false
        odd = nil
        return time
    }

    /// The instant at which a sample was captured.
    func instant(of time: Int64) -> Instant {
        guard let anchor else { return .zero }
        return anchor.captured + .frames(time - anchor.time)
    }
}

extension Instant {
    /// The number of sample frames at 48 kHz since the clock's zero.
    var frames: Int64 { Instant.zero.duration(to: self).frames }
}

extension Duration {
    /// The duration in sample frames at 48 kHz.
    var frames: Int64 { SoundFormat.standard.frames(in: self) }

    /// Returns the duration of a number of sample frames at 48 kHz.
    static func frames(_ count: Int64) -> Duration { SoundFormat.standard.duration(ofFrames: count) }
}
