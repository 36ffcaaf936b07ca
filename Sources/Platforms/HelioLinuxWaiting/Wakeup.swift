private import CXCB
private import Glibc
package import HelioCore

/// An eventfd that ends a `poll` from another thread.
package final class Wakeup: Sendable {
    package let fileDescriptor: Int32

    package init() throws(HelioError) {
        fileDescriptor = helio_eventfd()
        if fileDescriptor < 0 { throw HelioError(.systemFailed, "No file descriptor is left for this process.") }
    }

    deinit { close(fileDescriptor) }

    package func signal() {
        var one: UInt64 = 1
        _ = write(fileDescriptor, &one, 8)
    }

    /// Clears the signal. Returns true if `signal` was called since the last `take`.
    @discardableResult
    package func take() -> Bool {
        var count: UInt64 = 0
        return read(fileDescriptor, &count, 8) == 8
    }

    /// Sleeps until either descriptor is readable, or until `until`; `nil` for no limit.
    package func wait(alongside other: Int32, until: Instant?) {
        var polled = [
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard let until else {
            _ = helio_poll(&polled, 2, nil)
            return
        }
        let nanoseconds = max(0, (until - .monotonicNow).nanoseconds)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = helio_poll(&polled, 2, &time)
    }

    /// Waits for the signal without clearing it; true if it comes by `until`.
    package func isSignalled(until: Instant) -> Bool {
        while true {
            var polled = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = max(0, (until - .monotonicNow).nanoseconds / 1_000_000)
            if poll(&polled, 1, Int32(clamping: left)) > 0 { return true }
            if Instant.monotonicNow >= until { return false }
        }
    }
}
