package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A pipe that ends another thread's wait in `poll`, or signals that a thread is done.
package final class WakePipe: Sendable {
    package let readEnd: Int32
    private let writeEnd: Int32

    package init() throws(HelioError) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw HelioError(.systemFailed, "No file descriptor is left.") }
        readEnd = ends[0]
        writeEnd = ends[1]
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK)
        }
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Wakes the polling thread. A full pipe wakes it as well.
    package func signal() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Consumes all signals.
    package func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(readEnd, buffer.baseAddress, buffer.count) > 0 {}
        }
    }

    /// Waits for a signal; returns false if none arrives within `limit`.
    package func wait(within limit: Duration) -> Bool {
        let end = MachineClock.now + limit
        while true {
            var polled = [SocketPoll(descriptor: readEnd)]
            SocketPoll.wait(&polled, until: end)
            if polled[0].isReadable { return true }
            if MachineClock.now >= end { return false }
        }
    }
}
