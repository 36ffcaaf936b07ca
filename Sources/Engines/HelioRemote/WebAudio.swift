/// A setting of a browser's viewer for the host's sound, sent by its data channel (rows 130 and 131).
package enum WebAudio: Sendable, Hashable {
    /// The viewer turns sound on, or off.
    case enabled(Bool)
    /// The viewer's playback volume, 0 ... 1.
    case volume(Double)
    /// A new offer for its connection: see `ViewerMessage.audioOffer`.
    case offer(sdp: String, isInStep: Bool)
}
