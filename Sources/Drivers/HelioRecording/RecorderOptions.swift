package import HelioCore

/// What is recorded, and where to.
package struct RecorderOptions: Sendable {
    /// The file. Its ending says the format: `.mp4`, or `.mkv` for Matroska.
    package var path: String
    /// True where a file of this name is replaced; it is an error otherwise.
    package var overwrites = false
    /// The origins whose sound is recorded, a track each; in a file's order.
    package var sound: [SoundOrigin] = []
    /// The codec of slices, until another is set.
    package var codec = VideoCodec.h264
    /// How often a keyframe is asked for, to which players can jump; `nil`: only where the recording can't go on without.
    package var keyframeInterval: Duration?
    /// The most bytes that wait to be written: at 20 Mbit/s, 13 seconds.
    package var mostBytesWaiting = 32 << 20
    /// The longest that anything waits to be written, before what comes is dropped.
    package var longestWait = Duration.seconds(5)

    package init(path: String) { self.path = path }
}
