public import HelioSharing

/// The session's requests to an app's own video encoder. The app passes its frames to ``MirrorSource/write(_:)``.
public protocol VideoSourcePlugin: MediaPlugin {
    /// Requests that the next frame be a keyframe (requirement row 15).
    ///
    /// - Parameter reason: a human-readable reason for logs.
    func keyframeNeeded(reason: String)
    /// Suggests the bitrate that the slowest viewer's path carries, in bits per second (requirement rows 16 and 17).
    func bitrateSuggested(_ bitsPerSecond: Int)
}
