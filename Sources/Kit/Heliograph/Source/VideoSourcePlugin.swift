public import HelioSharing

/// The session's requests to an app's own video encoder. Its frames go into ``MirrorSource/write(_:)``.
public protocol VideoSourcePlugin: MediaPlugin {
    /// Requests that the next frame be a keyframe (row 15).
    ///
    /// - Parameter reason: for logs.
    func keyframeNeeded(reason: String)
    /// Suggests the bitrate that the slowest viewer's path carries, in bits a second (rows 16 and 17).
    func bitrateSuggested(_ bitsPerSecond: Int)
}
