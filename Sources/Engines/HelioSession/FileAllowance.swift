package import HelioCore

/// Grants bytes of a session's channel to the handler of files, which runs on a thread of its own. It grants so few
/// bytes that video and input do not wait for them.
package struct FileAllowance: Sendable {
    /// The limit of bytes that are granted and not used.
    private static let window = 32 << 10

    private var outstanding = 0
    private var pace: FilePace
    /// The number of the last round trip given to the pace.
    private var measured = 0
    /// When more bytes may be granted than the pace allows now; `nil` if the pace is no limit.
    package private(set) var deadline: Deadline?

    package init(now: Instant) { pace = FilePace(now: now) }

    /// Returns the bytes to grant if the channel accepts `room` bytes now; `nil`: none.
    ///
    /// - Parameter roundTrip: the last measured round trip of the media's path.
    package mutating func grant(room: Int, roundTrip: MeasuredRoundTrip?, now: Instant) -> Int? {
        if let roundTrip, roundTrip.number != measured {
            measured = roundTrip.number
            pace.follow(roundTrip.time, now: now)
        }
        deadline = nil
        let more = min(room, Self.window) - outstanding
        guard more >= pace.leastGrant else { return nil }
        let paced = pace.bytes(now: now)
        let granted = paced >= pace.leastGrant ? min(more, paced) : 0
        pace.use(granted)
        outstanding += granted
        if more - granted >= pace.leastGrant {
            deadline = Deadline(at: pace.deadline(for: pace.leastGrant), why: "files may go on")
        }
        return granted > 0 ? granted : nil
    }

    /// Notes that messages of this many bytes were sent.
    package mutating func use(_ bytes: Int) { outstanding = max(0, outstanding - bytes) }
}
