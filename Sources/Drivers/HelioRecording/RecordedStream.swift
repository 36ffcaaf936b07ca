/// The stream that a `Recorder` writes: asked for pictures, and notified of the file. Called on the recorder's thread.
package protocol RecordedStream: Sendable {
    /// Requests a keyframe.
    func requestKeyframe(_ reason: String)
    /// Requests the last picture once more, because none has come for a second, and there is no sound track that
    /// extends the file's duration.
    func repeatPicture()
    func take(_ news: RecordingNews)
}
