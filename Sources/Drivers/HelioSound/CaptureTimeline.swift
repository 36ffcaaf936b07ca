internal import HelioCore

/// The times of captured samples: counted by the device, and advanced by the machine's clock where sound is missing.
///
/// On a busy machine a device's timestamps are off by tens of milliseconds now and then, to either side. An outlier
/// changes nothing: sound counts as missing only if all timestamps within `patience` deviate to the same side. Times
/// never go back.
struct CaptureTimeline {
    /// The greatest deviation of a timestamp that is no gap.
    private static let evenness = Duration.milliseconds(40)
    /// The maximum number of timestamps in the running mean.
    private static let mostWeight = 64

    /// The time for which timestamps must deviate before sound counts as missing, in sample frames.
    private let patience: Int
    /// A time of the stream, and the instant of its capture.
    private var anchor: (time: Int64, captured: Instant)?
    private var weight = 1
    private var isInterrupted = false
    /// The sample frames for which timestamps have deviated to one side, and their least deviation in nanoseconds.
    private var odd: (frames: Int, least: Int64)?

    /// - Parameter patience: the time for which timestamps must deviate before sound counts as missing; zero for exact
    ///   ones.
    init(patience: Duration) { self.patience = Int(patience.frames) }

    /// Marks a gap: the next sound is placed by its timestamp.
    mutating func interrupt() { isInterrupted = true }

    /// Places a stretch of sound.
    ///
    /// - Parameters:
    ///   - next: the sound's time if none is missing before it.
    ///   - captured: the time at which the first sample was captured.
    ///   - frames: the sound's length.
    /// - Returns: the sound's time, `next` or later.
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
        // No sound can be captured early: if all timestamps are early, the assumed instants were late, and only they
        // are corrected.
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
    /// The sample frames of 48 kHz since the clock's zero.
    var frames: Int64 { Instant.zero.duration(to: self).frames }
}

extension Duration {
    /// The duration in sample frames of 48 kHz.
    var frames: Int64 { SoundFormat.standard.frames(in: self) }

    /// The duration of sample frames of 48 kHz.
    static func frames(_ count: Int64) -> Duration { SoundFormat.standard.duration(ofFrames: count) }
}
