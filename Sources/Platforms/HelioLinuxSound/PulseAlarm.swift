internal import CPulse
internal import HelioCore

/// A timer that calls back once on a connection's thread; `deinit` cancels it.
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

    /// - Parameter forget: is called before the callback, for the owner to release this object.
    func start(_ context: OpaquePointer, at instant: Instant, forget: @escaping () -> Void) {
        self.forget = forget
        // The server library's timers use CLOCK_MONOTONIC. One microsecond more, so that it is never early.
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
