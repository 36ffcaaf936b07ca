internal import CPulse
internal import HelioCore
internal import HelioGround

/// The times at which a device captures or plays each sample frame of one stream, from the server's reports.
struct PulseStreamTime {
    private let isPlayback: Bool
    private var clock = StreamClock(.standard)
    private var schedule = TimingSchedule()

    init(isPlayback: Bool) { self.isPlayback = isPlayback }

    /// False before the server's first report.
    var isKnown: Bool { clock.isKnown }

    /// The instant of a sample frame, counted from the stream's start.
    func instant(of frame: Int64) -> Instant { clock.instant(of: frame) }

    /// Starts anew, for another stream or another device.
    mutating func reset() {
        clock.reset()
        schedule.reset()
    }

    /// Starts anew after the device was suspended, resumed or replaced.
    mutating func restart(_ stream: OpaquePointer) {
        reset()
        if pa_stream_is_suspended(stream) == 0 { ask(stream) }
    }

    /// Requests the stream's timing; the answer comes by the stream's latency callback.
    func ask(_ stream: OpaquePointer) { PulseClient.forget(pa_stream_update_timing_info(stream, nil, nil)) }

    mutating func askWhenDue(_ stream: OpaquePointer) {
        if schedule.isDue(MonotonicClock.now) { ask(stream) }
    }

    /// Handles the server's answer.
    mutating func take(_ stream: OpaquePointer) {
        guard let timing = PulseTiming(stream, isPlayback: isPlayback) else { return }
        clock.observe(frame: timing.frame, at: timing.instant)
    }
}
