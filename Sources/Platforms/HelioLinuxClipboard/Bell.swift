import CXCB
import Glibc
import HelioCore

/// An eventfd by which one thread ends the wait of another.
final class Bell: Sendable {
    let fileDescriptor: Int32

    init() throws(HelioError) {
        fileDescriptor = helio_eventfd()
        if fileDescriptor < 0 { throw HelioError(.systemFailed, "No file descriptor is left for this process.") }
    }

    deinit { close(fileDescriptor) }

    func ring() {
        var one: UInt64 = 1
        _ = write(fileDescriptor, &one, 8)
    }

    /// Makes it silent again.
    func take() {
        var count: UInt64 = 0
        _ = read(fileDescriptor, &count, 8)
    }

    /// Waits until one of the descriptors can be read, or until `until`; `nil`: for as long as it takes.
    static func wait(_ descriptors: [Int32], until: Instant?) {
        var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard let until else {
            _ = helio_poll(&polled, UInt(polled.count), nil)
            return
        }
        let nanoseconds = max(0, (until - .monotonicNow).nanoseconds)
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        _ = helio_poll(&polled, UInt(polled.count), &time)
    }

    /// Returns true if it rings by `until`.
    func rings(until: Instant) -> Bool {
        while true {
            var polled = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
            let left = max(0, (until - .monotonicNow).nanoseconds / 1_000_000)
            if poll(&polled, 1, Int32(clamping: left)) > 0 { return true }
            if Instant.monotonicNow >= until { return false }
        }
    }
}
