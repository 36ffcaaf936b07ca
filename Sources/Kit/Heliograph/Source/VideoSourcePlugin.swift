public import HelioViewing

/// An app's own video encoder: the requests of the session to it. Its frames go into ``MirrorSource/write(_:)``.
public protocol VideoSourcePlugin: MediaPlugin {
    /// The next frame has to be a keyframe (row 15).
    ///
    /// - Parameter reason: for logs.
    func keyframeNeeded(reason: String)
    /// The slowest viewer's path takes this bitrate, in bits a second (rows 16 and 17).
    func bitrateSuggested(_ bitsPerSecond: Int)
}
