public import HelioViewing

/// An app's own encoder: what the session asks of it. What it has coded goes into ``MirrorSource/write(_:)``.
public protocol VideoSourcePlugin: MediaPlugin {
    /// The next frame has to be a keyframe (row 15).
    ///
    /// - Parameter reason: for logs.
    func keyframeNeeded(reason: String)
    /// What the slowest viewer's path can take, bits a second (rows 16 and 17).
    func bitrateSuggested(_ bitsPerSecond: Int)
}
