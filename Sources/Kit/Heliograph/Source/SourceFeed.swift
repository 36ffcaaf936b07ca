internal import HelioCore
internal import HelioSession

/// Where a source's frames come from, as the session sees it: the screen's media thread, or an app's own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String)
    /// The picture is to be coded once more, though nothing has changed: some players show one only when the next comes.
    func repeatPicture()
    func setBitrate(_ bitrate: Bitrate)
    func setWatched(_ watched: Bool)
    /// What the viewers that there are agree on.
    func agree(on agreement: StreamAgreement)
}
