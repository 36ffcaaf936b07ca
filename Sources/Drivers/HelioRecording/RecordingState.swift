/// How a recording stands.
package enum RecordingState: String, Sendable, Hashable {
    /// The file is there; the first keyframe has yet to come.
    case waiting
    case recording
    /// It has ended by an error; the file plays up to there.
    case failed
    case finished
}
