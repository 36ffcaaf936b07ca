/// The phase of a recording; `failed` and `finished` are final.
package enum RecordingState: String, Sendable, Hashable {
    /// The file exists; the first keyframe has not arrived yet.
    case waiting
    case recording
    /// The recording has ended with an error; the file can be played up to that point.
    case failed
    case finished
}
