internal import HelioCore
internal import HelioMedia
internal import HelioSession

/// The supplier of a source's frames, as the session sees it: the screen's media thread, or an app's own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String, of encoding: EncodingID)
    /// Asks for a picture for a viewer that has the frame of this index whole, and has lost what came after it.
    func requestRepair(since frame: UInt64, reason: String, of encoding: EncodingID)
    /// Codes the picture once more, though nothing has changed: some players show one only when the next comes.
    func repeatPicture()
    func setBitrate(_ bitrate: Bitrate)
    /// Codes a second, smaller encode of this bitrate from now on; `nil`: none any more.
    func setSecond(_ bitrate: Bitrate?)
    /// Takes what the viewers of an encode want to keep where its bitrate does not carry all; `nil`: what is shown
    /// decides.
    func prefer(_ kind: ContentKind?, of encoding: EncodingID)
    func setWatched(_ watched: Bool)
    /// Makes these encodes of sound from now on; origins that are not named are wanted by nobody.
    func setSound(_ demands: [SoundOrigin: SoundDemand])
    /// Takes the format that the present viewers agree on.
    func agree(on agreement: StreamAgreement)
}

extension SourceFeed {
    /// A keyframe helps everybody.
    func requestRepair(since _: UInt64, reason: String, of encoding: EncodingID) {
        requestKeyframe(reason, of: encoding)
    }
    /// Whose encoder keeps one format has nothing to choose.
    func prefer(_: ContentKind?, of _: EncodingID) {}
    /// Who has no sound is not heard.
    func setSound(_: [SoundOrigin: SoundDemand]) {}
    /// Who has one encode is not asked for a second.
    func setSecond(_: Bitrate?) {}
    func requestKeyframe(_ reason: String) { requestKeyframe(reason, of: .main) }
    func requestRepair(since frame: UInt64, reason: String) { requestRepair(since: frame, reason: reason, of: .main) }
}
