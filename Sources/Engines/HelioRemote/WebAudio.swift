/// A setting of a browser's viewer for the host's sound, sent by its data channel (rows 130 and 131).
package enum WebAudio: Sendable, Hashable {
    /// Whether the viewer wants to hear the sound.
    case enabled(Bool)
    /// The viewer's playback volume, 0 ... 1.
    case volume(Double)
    /// A new offer for its connection: see `ViewerMessage.audioOffer`.
    case offer(sdp: String, isInStep: Bool)
}
