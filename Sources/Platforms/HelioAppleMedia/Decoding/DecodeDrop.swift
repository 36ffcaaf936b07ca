/// Why a unit gave no picture, or a picture was not given on.
package enum DecodeDrop: String, Sendable, Hashable, CaseIterable {
    /// The session did not give it within the time allowed.
    case timedOut = "decoder-timed-out"
    /// The session gave it after it had been given up.
    case late = "decoder-late"
    /// The session left it out.
    case leftOut = "decoder-left-out"
    /// It came without a keyframe before it.
    case awaitingKeyframe = "awaiting-keyframe"
    /// It is shown before one that has been given on.
    case outOfOrder = "out-of-order"
    /// The session was invalid.
    case invalidSession = "invalid-session"
    /// The session could not decode it, or couldn't be made.
    case undecodable = "undecodable"
    /// It is larger than may be decoded.
    case tooLarge = "too-large"
}
