package import HelioCore

/// Grants bytes of a session's transfer channel to the file-transfer handler, which runs on its own thread. Each grant
/// is small, so that video and input are not delayed by file data.
package struct FileAllowance: Sendable {
    /// The maximum number of bytes that are granted but not used yet.
    private static let window = 32 << 10

    private var outstanding = 0
    private var pace: FilePace
    /// The number of the last round-trip measurement passed to `pace`.
    private var measured = 0
    /// The time of the next grant if `pace` limits the present one; otherwise `nil`.
    package private(set) var deadline: Deadline?

    package init(now: Instant) { pace = FilePace(now: now) }

    /// Returns the number of bytes to grant now; `nil` if no grant can be made.
    ///
    /// - Parameters:
    ///   - room: the number of bytes that the channel accepts now.
    ///   - roundTrip: the last measured round trip of the media's path.
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

    /// Records that messages of this many bytes were sent.
    package mutating func use(_ bytes: Int) { outstanding = max(0, outstanding - bytes) }
}
