internal import CPulse
private import Glibc
internal import HelioCore

/// What the server has told of a stream's time: the device heard or plays this sample frame at that instant.
struct PulseTiming {
    /// Beyond this a count is nonsense: 93 years.
    private static let mostFrames: Int64 = 1 << 47
    /// Beyond this a latency is nonsense: an hour.
    private static let mostLatency: UInt64 = 3_600_000_000

    /// Counted from the stream's start.
    let frame: Int64
    let instant: Instant

    /// `nil` where it has told nothing, or nothing that is true while the device stands still.
    init?(_ stream: OpaquePointer, isPlayback: Bool) {
        guard pa_stream_is_suspended(stream) == 0, let info = pa_stream_get_timing_info(stream)?.pointee,
            info.playing != 0, isPlayback ? info.read_index_corrupt == 0 : info.write_index_corrupt == 0,
            info.sink_usec < Self.mostLatency, info.source_usec < Self.mostLatency
        else { return nil }
        let bytes = isPlayback ? info.read_index : info.write_index
        // What a device has buffered is not yet played; what it has captured and not yet given is not yet counted. Of a
        // monitor all that is not yet played counts as to come.
        let buffered = isPlayback ? -Int64(info.sink_usec) : Int64(info.source_usec) - Int64(info.sink_usec)
        frame = bytes / Int64(PulseStreamFormat.frameBytes) + buffered * 48 / 1000
        guard abs(bytes) < Self.mostFrames else { return nil }
        // The time of the server's machine, which is this one.
        instant = .ofRealTime(
            microseconds: Int64(info.timestamp.tv_sec) &* 1_000_000 &+ Int64(info.timestamp.tv_usec))
    }
}
