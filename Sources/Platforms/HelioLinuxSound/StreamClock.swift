internal import HelioCore

/// The times at which a device captures or plays each sample of a stream: a line fitted to the server's reports.
///
/// A report is late by the time that a thread waited for the processor. So the line moves by only a part of a report's
/// deviation: half at the second one, and a sixteenth from the sixteenth on. After a larger deviation, as after a pause
/// or on another device, the line starts anew.
struct StreamClock {
    /// The largest deviation that a delayed thread can explain; after a larger one the device is taken to have stopped.
    private static let jump = Duration.milliseconds(20)
    private static let mostWeight = 16

    private let format: SoundFormat
    private var frame: Int64 = 0
    private var instant = Instant.zero
    private var observations = 0

    init(_ format: SoundFormat) { self.format = format }

    /// False before the server's first report.
    var isKnown: Bool { observations > 0 }

    /// Forgets all reports: the stream is on another device.
    mutating func reset() { observations = 0 }

    /// Adds a report: at `instant` the device captures or plays this sample frame of the stream.
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
