package import HelioCore
package import HelioRecording

/// The file that a shared screen is recorded to, as its viewers are sent it: picture and sound, without another encode.
public struct RecordingOptions: Sendable {
    /// The file, in a folder that is there; its ending says the format: `.mp4`, or `.mkv` for Matroska. It is readable
    /// by its owner alone.
    ///
    /// Where the codec changes, the recording goes on in another file: NAME-2.mp4.
    public var path: String
    /// True where a file of this name is replaced; it is an error otherwise.
    public var overwrites = false
    /// How often a keyframe is asked for, which players can jump to; each costs viewers its bytes. `nil`: only where the
    /// recording can't begin or go on without.
    public var keyframeInterval: Duration?

    /// Makes options for a new file.
    public init(path: String) { self.path = path }

    /// - Parameter sound: the origins that are recorded, a track each.
    package func recorderOptions(sound: [SoundOrigin]) -> RecorderOptions {
        var options = RecorderOptions(path: path)
        options.overwrites = overwrites
        options.keyframeInterval = keyframeInterval
        options.sound = sound
        return options
    }
}
