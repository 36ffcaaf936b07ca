package import HelioCore
package import HelioRecording

/// A snapshot of a recording's progress, over all its files.
public struct RecordingStatus: Sendable, Hashable, Codable {
    /// The phase of a recording; `failed` and `finished` are final.
    public enum State: String, Sendable, Hashable, Codable {
        /// The file has been created; the first picture has not arrived yet.
        case waiting
        case recording
        /// The recording has ended with an error; its file can be played up to that point.
        case failed
        case finished
    }

    /// The phase at the time of the snapshot.
    public let state: State
    /// The path of the file being written; after the end, the path of the last file.
    public let path: String
    /// The number of files begun so far: 1, and one more after each change of the codec.
    public let files: Int
    /// Seconds since the first picture.
    public let seconds: Double
    /// The total size of all files, in bytes.
    public let bytes: Int64
    /// The number of pictures written.
    public let pictures: Int
    /// The number of sound packets written.
    public let soundPackets: Int
    /// The number of dropped items by reason.
    public let drops: [String: Int]

    /// - Parameter now: the time on the machine's monotonic clock.
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
