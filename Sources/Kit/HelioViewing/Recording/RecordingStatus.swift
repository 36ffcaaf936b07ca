package import HelioCore
package import HelioRecording

/// How a recording stands.
public struct RecordingStatus: Sendable, Hashable, Codable {
    /// The stages of a recording.
    public enum State: String, Sendable, Hashable, Codable {
        /// The file is there; the first picture has yet to come.
        case waiting
        case recording
        /// It has ended by an error; its file plays up to there.
        case failed
        case finished
    }

    /// The stage that it is in.
    public let state: State
    /// The file that is written now, or was at last.
    public let path: String
    /// The number of files so far: one more for each change of the codec.
    public let files: Int
    /// Seconds since its first picture.
    public let seconds: Double
    /// The bytes of all its files.
    public let bytes: Int64
    /// Pictures written.
    public let pictures: Int
    /// Packets of sound written.
    public let soundPackets: Int
    /// What was left out, counted by reason.
    public let drops: [String: Int]

    /// - Parameter now: on the machine's monotonic clock.
    package init(_ statistics: RecordingStatistics, now: Instant) {
        state =
            switch statistics.state {
            case .waiting: .waiting
            case .recording: .recording
            case .failed: .failed
            case .finished: .finished
            }
        path = statistics.path
        files = statistics.files
        seconds = statistics.duration(now: now).inSeconds
        bytes = statistics.bytes
        pictures = statistics.pictures
        soundPackets = statistics.soundPackets
        drops = statistics.drops
    }
}
