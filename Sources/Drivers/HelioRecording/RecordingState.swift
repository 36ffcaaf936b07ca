/// The state of a recording.
package enum RecordingState: String, Sendable, Hashable {
    /// The file exists; the first keyframe has yet to come.
    case waiting
    case recording
    /// The recording has ended with an error; the file can be played up to there.
    case failed
    case finished
}
