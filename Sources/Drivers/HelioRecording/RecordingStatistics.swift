package import HelioCore

/// The state of a recording, and counts over all its files.
package struct RecordingStatistics: Sendable {
    package var state = RecordingState.waiting
    /// The path of the current file; after the end, the path of the last file.
    package var path: String
    /// The number of files begun so far; each change of codec begins another file.
    package var files = 1
    /// The bytes written to all files.
    package var bytes: Int64 = 0
    package var pictures = 0
    package var soundPackets = 0
    /// The time of the first picture on the machine's monotonic clock; `ended` is the time of the recording's end.
    package var began: Instant?
    package var ended: Instant?
    /// The number of dropped items by reason.
    package var drops: [String: Int] = [:]

    init(path: String) { self.path = path }

    /// The time from the first picture to the recording's end, or to `now`.
    package func duration(now: Instant) -> Duration { began.map { (ended ?? now) - $0 } ?? .zero }
}
