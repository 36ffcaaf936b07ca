internal import CPulse
internal import HelioCore
internal import HelioGround

/// Computes the time at which a device captures or plays each sample frame of one stream, from the server's timing
/// reports.
struct PulseStreamTime {
    private let isPlayback: Bool
    private var clock = StreamClock(.standard)
    private var schedule = TimingSchedule()

    init(isPlayback: Bool) { self.isPlayback = isPlayback }

    /// False before the server's first report.
    var isKnown: Bool { clock.isKnown }

    /// Returns the time at which a sample frame, counted from the stream's start, is captured or played.
    func instant(of frame: Int64) -> Instant { clock.instant(of: frame) }

    /// Discards all reports, for another stream or another device.
    mutating func reset() {
        clock.reset()
        schedule.reset()
    }

    /// Discards all reports after the device was suspended, resumed or replaced, and requests a new one.
    mutating func restart(_ stream: OpaquePointer) {
        reset()
        if pa_stream_is_suspended(stream) == 0 { ask(stream) }
    }

    /// Requests the stream's timing; the answer arrives in the stream's latency callback.
    func ask(_ stream: OpaquePointer) { PulseClient.forget(pa_stream_update_timing_info(stream, nil, nil)) }

    mutating func askWhenDue(_ stream: OpaquePointer) {
        if schedule.isDue(MonotonicClock.now) { ask(stream) }
    }

    /// Handles the server's timing report.
    mutating func take(_ stream: OpaquePointer) {
        guard let timing = PulseTiming(stream, isPlayback: isPlayback) else { return }
        clock.observe(frame: timing.frame, at: timing.instant)
    }
}
