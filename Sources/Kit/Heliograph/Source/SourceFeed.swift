internal import HelioCore
internal import HelioSession

/// The supplier of a source's frames, as the session sees it: the screen's media thread, or an app's own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String)
    /// Asks for a picture for a viewer that has the frame of this index whole, and has lost what came after it.
    func requestRepair(since frame: UInt64, reason: String)
    /// Codes the picture once more, though nothing has changed: some players show one only when the next comes.
    func repeatPicture()
    func setBitrate(_ bitrate: Bitrate)
    func setWatched(_ watched: Bool)
    /// Takes the format that the present viewers agree on.
    func agree(on agreement: StreamAgreement)
}

extension SourceFeed {
    /// A keyframe helps everybody.
    func requestRepair(since _: UInt64, reason: String) { requestKeyframe(reason) }
}
