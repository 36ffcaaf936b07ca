internal import HelioCore

/// When a device hears or plays each sample of a stream: a line through what the server tells now and then.
///
/// What the server tells is off by how long a thread waited for the processor; the line takes a sixteenth of that. Where
/// it is off by more, as after a rest or on another device, the line begins anew.
struct StreamClock {
    /// What no thread waits, but a device that was stopped.
    private static let jump = Duration.milliseconds(20)
    private static let mostWeight = 16

    private let format: SoundFormat
    private var frame: Int64 = 0
    private var instant = Instant.zero
    private var observations = 0

    init(_ format: SoundFormat) { self.format = format }

    /// False until the server has told something.
    var isKnown: Bool { observations > 0 }

    /// Forgets all: the stream is on another device.
    mutating func reset() { observations = 0 }

    /// Takes what the server tells: the device hears or plays this sample frame of the stream at that instant.
    mutating func observe(frame: Int64, at instant: Instant) {
        let error = self.instant(of: frame).duration(to: instant)
        if observations == 0 || abs(error.nanoseconds) > Self.jump.nanoseconds {
            observations = 1
            self.instant = instant
        } else {
            observations = min(observations + 1, Self.mostWeight)
            self.instant = self.instant(of: frame) + .nanoseconds(error.nanoseconds / Int64(observations))
        }
        self.frame = frame
    }

    /// The instant of a sample frame, counted from the stream's start.
    func instant(of frame: Int64) -> Instant {
        instant + format.duration(ofFrames: frame - self.frame)
    }
}
