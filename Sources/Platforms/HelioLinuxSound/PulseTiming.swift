internal import CPulse
private import Glibc
internal import HelioCore
private import HelioGround

/// The server's timing report of a stream: at the time `instant`, the device captured or played the sample frame
/// `frame`.
struct PulseTiming {
    /// The limit of a plausible stream position, in bytes: 11 years of sound.
    private static let mostFrames: Int64 = 1 << 47
    /// The limit of a plausible latency: an hour, in microseconds.
    private static let mostLatency: UInt64 = 3_600_000_000

    /// The sample frame, counted from the stream's start.
    let frame: Int64
    let instant: Instant

    /// Reads the last report; `nil` if there is none, its values are implausible, or the device is suspended or not
    /// playing.
    init?(_ stream: OpaquePointer, isPlayback: Bool) {
        guard pa_stream_is_suspended(stream) == 0, let info = pa_stream_get_timing_info(stream)?.pointee,
            info.playing != 0, isPlayback ? info.read_index_corrupt == 0 : info.write_index_corrupt == 0,
            info.sink_usec < Self.mostLatency, info.source_usec < Self.mostLatency
        else { return nil }
        let bytes = isPlayback ? info.read_index : info.write_index
        // The position of an output includes buffered sound that is not yet played; that of an input excludes buffered
        // sound that is already captured. The position of a monitor includes sound that is not yet played, whose
        // capture time is in the future.
        let buffered = isPlayback ? -Int64(info.sink_usec) : Int64(info.source_usec) - Int64(info.sink_usec)
        frame = bytes / Int64(PulseStreamFormat.frameBytes) + buffered * 48 / 1000
        guard abs(bytes) < Self.mostFrames else { return nil }
        // The server runs on this machine, so the timestamp is of this machine's real-time clock.
        instant = WallClock.instant(
            of: Int64(info.timestamp.tv_sec) &* 1_000_000 &+ Int64(info.timestamp.tv_usec))
    }
}
