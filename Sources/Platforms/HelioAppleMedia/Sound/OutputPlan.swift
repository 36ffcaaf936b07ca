package import HelioCore

/// The number and the size of an output's buffers, and the number of source samples for each. The size is computed from
/// both sample rates (requirement row 75).
package struct OutputPlan: Sendable, Hashable {
    /// The number of buffers (requirement row 59).
    package static let buffers = 5
    /// The minimum duration of a buffer; five of them play 25 ms.
    private static let shortest = Duration.milliseconds(5)
    private static let longest = Duration.milliseconds(100)

    package let device: DeviceSampleFormat
    package let source: SoundFormat
    /// The number of sample frames in one buffer, at the device's rate.
    package let frames: Int
    /// The maximum number of source sample frames for one buffer, at the source's rate.
    package let sourceFrames: Int
    /// The size of one buffer in bytes; it is always filled completely (requirements, defect 10).
    package var bytes: Int { frames * device.bytesPerFrame }
    /// The playing time of one buffer.
    package var duration: Duration { .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(device.sampleRate)) }
    /// The playing time of all buffers.
    package var ringDuration: Duration { .nanoseconds(duration.nanoseconds * Int64(Self.buffers)) }

    /// Makes a plan; `nil` if the device's format is not interleaved, or a rate or number of channels is out of range.
    ///
    /// - Parameter cycle: the duration of sound that the device reads at once. Two buffers last at least that long, if
    ///   the maximum of 100 ms per buffer allows.
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
