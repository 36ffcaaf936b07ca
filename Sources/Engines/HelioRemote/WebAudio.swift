/// What a browser's viewer says of the host's sound, by its data channel (rows 130 and 131).
package enum WebAudio: Sendable, Hashable {
    /// It wants to hear, or does not.
    case enabled(Bool)
    /// It hears at this volume, 0 ... 1.
    case volume(Double)
    /// A new offer for its connection, as `ViewerMessage.audioOffer`.
    case offer(sdp: String, isInStep: Bool)
}
