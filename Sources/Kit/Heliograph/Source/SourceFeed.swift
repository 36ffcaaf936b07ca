internal import HelioCore
internal import HelioMedia
internal import HelioSession

/// The supplier of a source's frames, to which viewers' requests are forwarded: the screen's media thread, or an app's
/// own encoder.
protocol SourceFeed: Sendable {
    func requestKeyframe(_ reason: String, of encoding: EncodingID)
    /// Requests a repair picture for a viewer that has completely received the frame with index `frame` and has lost a
    /// later frame.
    func requestRepair(since frame: UInt64, reason: String, of encoding: EncodingID)
    /// Encodes the picture again, even if it has not changed: some players show a picture only when the following
    /// picture arrives.
    func repeatPicture()
    func setBitrate(_ bitrate: Bitrate)
    /// Sets the bitrate of the second, smaller encoding, and starts it if there is none; `nil` ends it.
    func setSecond(_ bitrate: Bitrate?)
    /// Sets the kind of content that an encoding's viewers prefer to keep in good quality (sharp text or smooth motion)
    /// if the bitrate is too low for both; `nil` decides by the detected content.
    func prefer(_ kind: ContentKind?, of encoding: EncodingID)
    func setWatched(_ watched: Bool)
    /// Sets the wanted encodings by origin of sound; no sound is wanted of an origin without an entry.
    func setSound(_ demands: [SoundOrigin: SoundDemand])
    /// Adopts the format that the connected viewers have agreed on.
    func agree(on agreement: StreamAgreement)
}

extension SourceFeed {
    /// Requests a keyframe instead, which repairs every loss. For a feed whose encoder makes no repair pictures.
    func requestRepair(since _: UInt64, reason: String, of encoding: EncodingID) {
        requestKeyframe(reason, of: encoding)
    }
    /// Ignores the kind of content; the default for an encoder that does not adapt to it.
    func prefer(_: ContentKind?, of _: EncodingID) {}
    /// Ignores the demand; the default for a feed without sound.
    func setSound(_: [SoundOrigin: SoundDemand]) {}
    /// Ignores the bitrate, as a feed with a single encoding is never asked for a second one.
    func setSecond(_: Bitrate?) {}
    func requestKeyframe(_ reason: String) { requestKeyframe(reason, of: .main) }
    func requestRepair(since frame: UInt64, reason: String) { requestRepair(since: frame, reason: reason, of: .main) }
}
