import HelioCore

/// Controlled delay (RFC 8289): drops packets at the queue's head so that the queueing delay does not stay above the
/// target for longer than an interval.
struct CoDel: Sendable {
    /// The acceptable standing queueing delay (section 3.2).
    private static let target = Duration.milliseconds(5)
    /// The time that a sender needs to react: at least a round trip on most paths (section 3.2).
    private static let interval = Duration.milliseconds(100)
    /// The maximum packet size in bytes: if no more is queued, nothing is dropped.
    private static let largestPacket = 1500

    /// The time at which the delay will have been above the target for an interval; `nil` while it is below the target.
    private var firstAbove: Instant?
    private var isDropping = false
    private var dropNext = Instant.zero
    /// The number of drops that determines the drop rate (`count` in the RFC); `formerCount` is its value at the start
    /// of the last dropping state.
    private var count = 0
    private var formerCount = 0

    init() {}

    /// Returns true if the packet at the queue's head must be dropped. The caller must then call this method again for
    /// the next packet.
    ///
    /// - Parameter left: the number of bytes queued behind the packet.
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
        // If the last dropping state ended only recently, resume with its drop rate.
        let former = count - formerCount
        count = former > 1 && now - dropNext < Self.interval * 16 ? former : 1
        formerCount = count
        dropNext = next(after: now)
        return true
    }

    /// Resets the time above the target, as the queue is empty.
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

    /// Returns the time of the next drop by the control law (section 3.3): the interval is divided by the square root
    /// of the number of drops.
    private func next(after instant: Instant) -> Instant {
        instant + .nanoseconds(Int64(Double(Self.interval.nanoseconds) / Double(count).squareRoot()))
    }
}
