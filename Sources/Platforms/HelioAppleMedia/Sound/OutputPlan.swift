package import HelioCore

/// The buffers of an output: their number, their length, and the source samples that each takes. Computed from both
/// rates, never a constant (row 75).
package struct OutputPlan: Sendable, Hashable {
    /// The number of buffers (row 59).
    package static let buffers = 5
    /// The shortest buffer: with five, 25 ms.
    private static let shortest = Duration.milliseconds(5)
    private static let longest = Duration.milliseconds(100)

    package let device: DeviceSampleFormat
    package let source: SoundFormat
    /// The sample frames of one buffer, at the device's rate.
    package let frames: Int
    /// The most sample frames at the source's rate that one buffer takes.
    package let sourceFrames: Int
    /// The bytes of one buffer, which is always filled completely (defect 10).
    package var bytes: Int { frames * device.bytesPerFrame }
    /// How long one buffer plays.
    package var duration: Duration { .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(device.sampleRate)) }
    /// How long all buffers play.
    package var ringDuration: Duration { .nanoseconds(duration.nanoseconds * Int64(Self.buffers)) }

    /// - Parameters:
    ///   - device: the device's format, interleaved; with an impossible rate or number of channels, the result is
    ///     `nil`.
    ///   - cycle: the duration that the device takes at once: two buffers last at least that long.
    package init?(_ device: DeviceSampleFormat, from source: SoundFormat, cycle: Duration) {
        guard (8000...192_000).contains(device.sampleRate), (1...32).contains(device.channels),
            device.isInterleaved, source.isKnown
        else { return nil }
        let half = Duration.nanoseconds(cycle.nanoseconds / 2)
        let duration = min(Self.longest, max(Self.shortest, half)).nanoseconds
        let frames = Int((duration * Int64(device.sampleRate) + 999_999_999) / 1_000_000_000)
        self.device = device
        self.source = source
        self.frames = frames
        sourceFrames =
            device.sampleRate == source.sampleRate
            ? frames : (frames * source.sampleRate + device.sampleRate - 1) / device.sampleRate + 1
    }
}
