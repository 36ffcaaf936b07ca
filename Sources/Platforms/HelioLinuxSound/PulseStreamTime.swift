internal import CPulse
internal import HelioCore

/// When a device hears or plays each sample frame of one stream: asked of the server as often as is of use.
struct PulseStreamTime {
    private let isPlayback: Bool
    private var clock = StreamClock(.standard)
    private var schedule = TimingSchedule()

    init(isPlayback: Bool) { self.isPlayback = isPlayback }

    /// False until the server has told something.
    var isKnown: Bool { clock.isKnown }

    /// The instant of a sample frame, counted from the stream's start.
    func instant(of frame: Int64) -> Instant { clock.instant(of: frame) }

    /// Begins anew, with another stream or on another device.
    mutating func reset() {
        clock.reset()
        schedule.reset()
    }

    /// Begins anew after the device went to sleep or woke up, or is another one.
    mutating func restart(_ stream: OpaquePointer) {
        reset()
        if pa_stream_is_suspended(stream) == 0 { ask(stream) }
    }

    /// Asks the server; its answer comes by the stream's callback for latency.
    func ask(_ stream: OpaquePointer) { PulseClient.forget(pa_stream_update_timing_info(stream, nil, nil)) }

    mutating func askWhenDue(_ stream: OpaquePointer) {
        if schedule.isDue(.monotonicNow) { ask(stream) }
    }

    /// Takes the server's answer.
    mutating func take(_ stream: OpaquePointer) {
        guard let timing = PulseTiming(stream, isPlayback: isPlayback) else { return }
        clock.observe(frame: timing.frame, at: timing.instant)
    }
}
