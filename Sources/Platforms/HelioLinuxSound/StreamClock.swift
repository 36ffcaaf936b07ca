internal import HelioCore

/// Computes the time at which a device captures or plays each sample of a stream, from a line fitted to the server's
/// reports.
///
/// Reports have errors of up to the time for which a thread waited for the CPU. So the line moves by only a part of a
/// report's deviation: half of it for the second report, and 1/16 from the 16th report on. After a deviation above
/// `jump`, as after a pause or on another device, the line restarts at the report.
struct StreamClock {
    /// The largest deviation that a delayed thread can cause; a larger one means that the device had stopped.
    private static let jump = Duration.milliseconds(20)
    private static let mostWeight = 16

    private let format: SoundFormat
    private var frame: Int64 = 0
    private var instant = Instant.zero
    private var observations = 0

    init(_ format: SoundFormat) { self.format = format }

    /// False before the server's first report.
    var isKnown: Bool { observations > 0 }

    /// Discards all reports, as the stream is on another device.
    mutating func reset() { observations = 0 }

    /// Adds a report: at the time `instant`, the device captures or plays this sample frame of the stream.
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

    /// Returns the time at which a sample frame, counted from the stream's start, is captured or played.
    func instant(of frame: Int64) -> Instant {
        instant + format.duration(ofFrames: frame - self.frame)
    }
}
