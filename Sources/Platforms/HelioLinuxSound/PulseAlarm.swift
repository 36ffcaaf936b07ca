internal import CPulse
internal import HelioCore

/// A one-shot timer on a connection's thread; `deinit` cancels it.
final class PulseAlarm {
    private let loop: OpaquePointer
    private let body: () -> Void
    private var event: OpaquePointer?
    private var forget: () -> Void = {}

    init(_ loop: OpaquePointer, _ body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
    }

    deinit { stop() }

    /// Starts the timer.
    ///
    /// - Parameter forget: called before the callback, so that the owner releases this object.
    func start(_ context: OpaquePointer, at instant: Instant, forget: @escaping () -> Void) {
        self.forget = forget
        // libpulse's timers use CLOCK_MONOTONIC in whole microseconds. Add one, so that the timer is never early.
        event = pa_context_rttime_new(
            context, pa_usec_t(max(0, instant.microseconds + 1)),
            { Unmanaged<PulseAlarm>.fromOpaque($3!).takeUnretainedValue().ring() },
            Unmanaged.passUnretained(self).toOpaque())
    }

    private func ring() {
        withExtendedLifetime(self) {
            stop()
            forget()
            body()
        }
    }

    private func stop() {
        guard let event else { return }
        pa_threaded_mainloop_get_api(loop).pointee.time_free(event)
        self.event = nil
    }
}
