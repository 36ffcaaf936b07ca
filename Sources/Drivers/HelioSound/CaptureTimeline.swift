internal import HelioCore

/// The times of captured samples: counted by the device, and put forward by the machine's clock where sound is missing.
///
/// On a busy machine a device's word of when it heard something is off by tens of milliseconds now and then, to either
/// side. Such a word moves nothing; only where all of `patience` says the same is sound missing. Times never go back.
struct CaptureTimeline {
    /// What is off by less is no gap.
    private static let evenness = Duration.milliseconds(40)
    /// The most words of which the mean is believed.
    private static let mostWeight = 64

    /// How long sound has to be off, in sample frames, until it counts.
    private let patience: Int
    /// A time of the stream, and when it was heard.
    private var anchor: (time: Int64, captured: Instant)?
    private var weight = 1
    private var isInterrupted = false
    /// For how many sample frames the device's word has been off to one side, and by how much at least.
    private var odd: (frames: Int, least: Int64)?

    /// - Parameter patience: how long sound has to be off until it counts; zero where times are exact.
    init(patience: Duration) { self.patience = Int(patience.frames) }

    /// Takes note that sound is missing from here on.
    mutating func interrupt() { isInterrupted = true }

    /// Places a stretch of sound.
    ///
    /// - Parameters:
    ///   - next: its time if nothing is missing before it.
    ///   - captured: when its first sample was heard.
    ///   - frames: its length.
    /// - Returns: its time, `next` or later.
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
        // Where sound came sooner than it can, it was the time before that was wrong.
        return begin(least > 0 ? next + Duration.nanoseconds(least).frames : next, expected + .nanoseconds(least))
    }

    private mutating func begin(_ time: Int64, _ captured: Instant) -> Int64 {
        anchor = (time, captured)
        weight = 1
        isInterrupted = false
        odd = nil
        return time
    }

    /// When a sample was heard.
    func instant(of time: Int64) -> Instant {
        guard let anchor else { return .zero }
        return anchor.captured + .frames(time - anchor.time)
    }
}

extension Instant {
    /// The time of a stream of 48 kHz that had begun with the clock.
    var frames: Int64 { Instant.zero.duration(to: self).frames }
}

extension Duration {
    /// The duration in sample frames of 48 kHz.
    var frames: Int64 { SoundFormat.standard.frames(in: self) }

    /// So many sample frames of 48 kHz.
    static func frames(_ count: Int64) -> Duration { SoundFormat.standard.duration(ofFrames: count) }
}
