package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A descriptor to poll, with the result.
package struct SocketPoll {
    package let descriptor: Int32
    /// True to wait for room to send, too.
    package let wantsToSend: Bool
    /// True if bytes, the end or an error can be read.
    package private(set) var isReadable = false
    package private(set) var isWritable = false

    package init(descriptor: Int32, wantsToSend: Bool = false) {
        self.descriptor = descriptor
        self.wantsToSend = wantsToSend
    }

    /// Waits until a descriptor is ready, a signal arrives, or the instant has passed; without limit if that is `nil`.
    package static func wait(_ polls: inout [SocketPoll], until: Instant?) {
        var polled = polls.map {
            pollfd(fd: $0.descriptor, events: Int16(POLLIN) | ($0.wantsToSend ? Int16(POLLOUT) : 0), revents: 0)
        }
        // Rounded up, so that the wait does not end before the instant.
        let milliseconds = until.map {
            Int32(clamping: (max(.zero, $0 - MachineClock.now).nanoseconds + 999_999) / 1_000_000)
        }
        let count = poll(&polled, nfds_t(polled.count), milliseconds ?? -1)
        for index in polls.indices {
            let found = count > 0 ? polled[index].revents : 0
            let failed = found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
            polls[index].isReadable = found & Int16(POLLIN) != 0 || failed
            polls[index].isWritable = found & Int16(POLLOUT) != 0 || failed
        }
    }
}
