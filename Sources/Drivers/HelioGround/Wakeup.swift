private import CGround
package import HelioCore

/// A file descriptor by which one thread ends another thread's wait in `poll`, or signals that it has finished.
package final class Wakeup: Sendable {
    package let descriptor: Int32

    /// Throws `systemFailed` if this process has no file descriptor left.
    package init() throws(HelioError) {
        descriptor = helio_wakeup_new()
        guard descriptor >= 0 else {
            throw HelioError(.systemFailed, "No file descriptor is left for this process.")
        }
    }

    deinit { helio_descriptor_close(descriptor) }

    package func signal() { helio_wakeup_signal(descriptor) }

    /// Clears the signal. Returns true if `signal` was called since the last `take`.
    @discardableResult
    package func take() -> Bool { helio_wakeup_take(descriptor) == 1 }

    /// Waits for the signal without clearing it. Returns true if the signal arrives by `until`.
    package func wait(until: Instant) -> Bool {
        while true {
            var polled = [DescriptorPoll(descriptor)]
            DescriptorPoll.wait(&polled, until: until)
            if polled[0].isReadable { return true }
            if MonotonicClock.now >= until { return false }
        }
    }

    /// Waits until this or the other descriptor is readable, until a system signal, or until `until`; `nil` waits
    /// without limit.
    ///
    /// - Parameter other: a descriptor; -1 for none.
    package func wait(alongside other: Int32, until: Instant?) {
        var polled = [DescriptorPoll(other), DescriptorPoll(descriptor)]
        DescriptorPoll.wait(&polled, until: until)
    }
}

/// A timer's file descriptor, which becomes readable at an instant. Unlike `Wakeup.signal`, setting the instant does
/// not end a wait before it.
package final class Alarm: Sendable {
    package let descriptor: Int32

    /// Throws `systemFailed` if this process has no file descriptor left.
    package init() throws(HelioError) {
        descriptor = helio_alarm_new()
        guard descriptor >= 0 else { throw HelioError(.systemFailed, "No descriptor is left for a timer") }
    }

    deinit { helio_descriptor_close(descriptor) }

    /// Sets the instant, in place of an earlier instant. An instant in the past makes the descriptor readable at once.
    package func set(_ instant: Instant) { helio_alarm_set(descriptor, instant.nanoseconds) }

    /// Makes the descriptor unreadable again.
    package func take() { helio_alarm_take(descriptor) }
}
