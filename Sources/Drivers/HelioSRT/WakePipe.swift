import HelioCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Wakes a thread that waits, from any other: a pipe of which the waiting thread has the end to read.
final class WakePipe: Sendable {
    /// Readable when somebody has woken it.
    let reading: Int32
    private let writing: Int32

    /// `nil` where the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// Any thread; never blocks. One that is full wakes as well.
    func wake() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Takes all that has been written.
    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) > 0 {}
    }

    /// Waits until it is woken, or so long.
    func wait(atMost limit: Duration) {
        var event = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        _ = poll(&event, 1, limit.wholeMilliseconds)
        drain()
    }
}

extension Duration {
    /// Rounded up, so that nobody who waits wakes too early and again; 0 to some days.
    var wholeMilliseconds: Int32 { Int32(clamping: max(0, (nanoseconds &+ 999_999) / 1_000_000)) }
}
