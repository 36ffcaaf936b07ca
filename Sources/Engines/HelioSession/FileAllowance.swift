package import HelioCore

/// How many bytes of files a session's channel takes: what was granted to whoever has them, on a thread of its own, and
/// has not been used. No more is granted than makes pictures and input wait.
package struct FileAllowance: Sendable {
    /// The most bytes that are granted and not used.
    private static let window = 32 << 10

    private var outstanding = 0
    private var pace: FilePace
    /// The number of the last round trip that the pace was told.
    private var measured = 0
    /// When more may be granted that the channel takes already.
    package private(set) var deadline: Deadline?

    package init(now: Instant) { pace = FilePace(now: now) }

    /// Returns what is to be granted where the channel takes so many bytes now; `nil`: nothing.
    ///
    /// - Parameter roundTrip: of the media's path, as it was measured last.
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

    /// Notes that messages of so many bytes were sent.
    package mutating func use(_ bytes: Int) { outstanding = max(0, outstanding - bytes) }
}
