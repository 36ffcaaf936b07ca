internal import HelioCore

/// Where a source's frames come from, as the session sees it: the screen's media thread, or an app's own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String)
    func setBitrate(_ bitrate: Bitrate)
    func setWatched(_ watched: Bool)
    /// What the viewers that there are agree on.
    func setFormat(_ format: VideoFormat)
}
