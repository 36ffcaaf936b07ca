private import CGround
package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A descriptor to poll, with the result.
package struct DescriptorPoll {
    package let descriptor: Int32
    /// True to wait for room to send, too.
    package let wantsToSend: Bool
    /// True if bytes, the end or an error can be read.
    package private(set) var isReadable = false
    package private(set) var isWritable = false

    /// - Parameter descriptor: -1 for none: it is never readable.
    package init(_ descriptor: Int32, wantsToSend: Bool = false) {
        self.descriptor = descriptor
        self.wantsToSend = wantsToSend
    }

    /// Waits until a descriptor is ready, a signal arrives, or the instant has passed; without limit if that is `nil`.
    ///
    /// Where the system counts in milliseconds, the wait is rounded up, and ends after an hour at most.
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
