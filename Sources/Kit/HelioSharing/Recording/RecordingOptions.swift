package import HelioCore
package import HelioRecording

/// The options for recording a shared screen to a file. The file contains the video and sound sent to viewers, which
/// are not encoded again.
public struct RecordingOptions: Sendable {
    /// The file's path; the folder has to exist. The extension selects the format: `.mp4`, or `.mkv` for Matroska. Only
    /// its owner may read the file.
    ///
    /// If the codec changes, the recording continues in another file: NAME-2.mp4.
    public var path: String
    /// True to replace an existing file; otherwise an existing file is an error.
    public var overwrites = false
    /// The interval at which keyframes are requested, so that players can seek; viewers receive these large pictures
    /// too. `nil` requests a keyframe only if the recording can't begin or continue without it.
    public var keyframeInterval: Duration?

    /// Makes options for a new file.
    public init(path: String) { self.path = path }

    /// - Parameter sound: the origins to record, one track each.
    package func recorderOptions(sound: [SoundOrigin]) -> RecorderOptions {
        var options = RecorderOptions(path: path)
        options.overwrites = overwrites
        options.keyframeInterval = keyframeInterval
        options.sound = sound
        return options
    }
}
