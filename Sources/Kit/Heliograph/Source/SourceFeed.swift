internal import HelioCore
internal import HelioMedia
internal import HelioSession

/// The supplier of a source's frames, as the session sees it: the screen's media thread, or an app's own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String, of encoding: EncodingID)
    /// Requests a repair for a viewer that has the frame of this index complete and has lost a later one.
    func requestRepair(since frame: UInt64, reason: String, of encoding: EncodingID)
    /// Codes the picture once more, even without a change: some players show a picture only when the next one arrives.
    func repeatPicture()
    func setBitrate(_ bitrate: Bitrate)
    /// Codes a second, smaller encode with this bitrate from now on; `nil` ends it.
    func setSecond(_ bitrate: Bitrate?)
    /// Sets the preference of an encode's viewers for a bitrate that is too low for both sharpness and smooth motion;
    /// `nil` leaves the choice to the content.
    func prefer(_ kind: ContentKind?, of encoding: EncodingID)
    func setWatched(_ watched: Bool)
    /// Sets the wanted sound encodes; an origin that is not named is not wanted.
    func setSound(_ demands: [SoundOrigin: SoundDemand])
    /// Adopts the format that the present viewers have agreed on.
    func agree(on agreement: StreamAgreement)
}

extension SourceFeed {
    /// Requests a keyframe, which every decoder can start from.
    func requestRepair(since _: UInt64, reason: String, of encoding: EncodingID) {
        requestKeyframe(reason, of: encoding)
    }
    /// Does nothing: an encoder with a fixed format has no choice.
    func prefer(_: ContentKind?, of _: EncodingID) {}
    /// Does nothing: a feed without sound has nothing to supply.
    func setSound(_: [SoundOrigin: SoundDemand]) {}
    /// Does nothing: a feed with one encode is never asked for a second.
    func setSecond(_: Bitrate?) {}
    func requestKeyframe(_ reason: String) { requestKeyframe(reason, of: .main) }
    func requestRepair(since frame: UInt64, reason: String) { requestRepair(since: frame, reason: reason, of: .main) }
}
