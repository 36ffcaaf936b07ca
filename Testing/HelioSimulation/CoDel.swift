import HelioCore

/// Controlled delay (RFC 8289): drops packets at the queue's head, so that no queue stands for longer than an interval.
struct CoDel: Sendable {
    /// The delay that is acceptable for longer than an interval (section 3.2).
    private static let target = Duration.milliseconds(5)
    /// The time that a sender may need to react, a round trip on most paths (section 3.2).
    private static let interval = Duration.milliseconds(100)
    /// The bytes that may remain queued without dropping: one packet is always underway.
    private static let largestPacket = 1500

    /// The time at which the delay will have been above the target for an interval; `nil` while it is below.
    private var firstAbove: Instant?
    private var isDropping = false
    private var dropNext = Instant.zero
    /// The count of drops that sets the pace, and its value when dropping last began.
    private var count = 0
    private var formerCount = 0

    init() {}

    /// Decides on the packet at the queue's head. If it is dropped, the function is called again for the next one.
    ///
    /// - Parameter left: the bytes queued behind the packet.
    mutating func drops(waited: Duration, left: Int, now: Instant) -> Bool {
        let isAbove = isAboveTarget(waited, left: left, now: now)
        if isDropping {
            guard isAbove else {
                isDropping = false
                return false
            }
            guard now >= dropNext else { return false }
            count += 1
            dropNext = next(after: dropNext)
            return true
        }
        guard isAbove else { return false }
        isDropping = true
        // If dropping ended only recently, it resumes at the pace needed then.
        let former = count - formerCount
        count = former > 1 && now - dropNext < Self.interval * 16 ? former : 1
        formerCount = count
        dropNext = next(after: now)
        return true
    }

    /// Notes that the queue is empty.
    mutating func ranEmpty() { firstAbove = nil }

    private mutating func isAboveTarget(_ waited: Duration, left: Int, now: Instant) -> Bool {
        guard waited >= Self.target, left > Self.largestPacket else {
            firstAbove = nil
            return false
        }
        guard let firstAbove else {
            self.firstAbove = now + Self.interval
            return false
        }
        return now >= firstAbove
    }

    /// The control law (section 3.3): the interval between drops shrinks with the square root of their number.
    private func next(after instant: Instant) -> Instant {
        instant + .nanoseconds(Int64(Double(Self.interval.nanoseconds) / Double(count).squareRoot()))
    }
}
