internal import CPulse
internal import HelioCore

/// A moment at which a connection's thread calls back, once. It ends with this object.
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

    /// - Parameter forget: is called before the callback: who keeps this object lets it go.
    func start(_ context: OpaquePointer, at instant: Instant, forget: @escaping () -> Void) {
        self.forget = forget
        // Its clock is CLOCK_MONOTONIC. Never before the instant.
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
