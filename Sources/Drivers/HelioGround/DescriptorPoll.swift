private import CGround
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A file descriptor to poll, with the result of the poll.
package struct DescriptorPoll {
    package let descriptor: Int32
    /// True to also wait until the descriptor is writable.
    package let wantsToSend: Bool
    /// True if a read would return bytes, the end of the stream or an error.
    package private(set) var isReadable = false
    package private(set) var isWritable = false

    /// - Parameter descriptor: the file descriptor; -1 for none, which is never readable.
    package init(_ descriptor: Int32, wantsToSend: Bool = false) {
        self.descriptor = descriptor
        self.wantsToSend = wantsToSend
    }

    /// Waits until a descriptor is ready, a signal arrives, or the instant has passed; `nil` waits without limit.
    ///
    /// The wait is rounded up, and is at most an hour, on systems whose `poll` counts in milliseconds.
    package static func wait(_ polls: inout [DescriptorPoll], until: Instant?) {
        let left = until.map { max(.zero, $0 - MonotonicClock.now).nanoseconds }
        let count = polls.count
        withUnsafeTemporaryAllocation(of: pollfd.self, capacity: count) { polled in
            for (index, one) in polls.enumerated() {
                let events = Int16(POLLIN) | (one.wantsToSend ? Int16(POLLOUT) : 0)
                polled.initializeElement(at: index, to: pollfd(fd: one.descriptor, events: events, revents: 0))
            }
            let ready = helio_poll(polled.baseAddress, UInt32(count), left ?? -1)
            for index in polls.indices {
                let found = ready > 0 ? polled[index].revents : 0
                let failed = found & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
                polls[index].isReadable = found & Int16(POLLIN) != 0 || failed
                polls[index].isWritable = found & Int16(POLLOUT) != 0 || failed
            }
        }
    }
}
