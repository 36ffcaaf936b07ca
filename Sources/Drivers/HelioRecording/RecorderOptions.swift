package import HelioCore

package struct RecorderOptions: Sendable {
    /// The file's path. The extension selects the format: `.mp4`, or `.mkv` for Matroska.
    package var path: String
    /// True to replace an existing file at `path`; if false, an existing file is an error.
    package var overwrites = false
    /// The origins whose sound is recorded, one track each, in the order of the tracks.
    package var sound: [SoundOrigin] = []
    /// The codec of slices, until `Recorder.set` changes it.
    package var codec = VideoCodec.h264
    /// The interval at which keyframes are requested, so that players can seek; `nil` requests a keyframe only if the
    /// recording can't continue without it.
    package var keyframeInterval: Duration?
    /// The maximum number of bytes queued for the disk: 32 MiB, 13 s at 20 Mbit/s.
    package var mostBytesWaiting = 32 << 20
    /// The longest time that an item may wait to be written; beyond it, new items are dropped.
    package var longestWait = Duration.seconds(5)

    package init(path: String) { self.path = path }
}
