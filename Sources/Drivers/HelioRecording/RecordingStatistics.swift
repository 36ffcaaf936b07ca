package import HelioCore

/// What a recording has done so far.
package struct RecordingStatistics: Sendable {
    package var state = RecordingState.waiting
    /// The file that is written now, or was at last.
    package var path: String
    /// The files so far.
    package var files = 1
    /// The bytes of all files.
    package var bytes: Int64 = 0
    package var pictures = 0
    package var soundPackets = 0
    /// When the first picture was taken, on the machine's monotonic clock, and when the recording ended.
    package var began: Instant?
    package var ended: Instant?
    /// What was left out, counted by reason.
    package var drops: [String: Int] = [:]

    init(path: String) { self.path = path }

    /// The time since its first picture.
    package func duration(now: Instant) -> Duration { began.map { (ended ?? now) - $0 } ?? .zero }
}
