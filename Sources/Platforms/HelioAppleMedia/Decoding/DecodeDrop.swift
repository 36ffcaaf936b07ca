/// The reason why a unit gave no picture, or a picture was dropped.
package enum DecodeDrop: String, Sendable, Hashable, CaseIterable {
    /// The session did not deliver the picture in time.
    case timedOut = "decoder-timed-out"
    /// The session delivered the picture after the wait for it had ended.
    case late = "decoder-late"
    /// The session left the picture out.
    case leftOut = "decoder-left-out"
    /// The unit came without a keyframe before it.
    case awaitingKeyframe = "awaiting-keyframe"
    /// The picture is shown before one that was delivered already.
    case outOfOrder = "out-of-order"
    /// The session was invalid.
    case invalidSession = "invalid-session"
    /// The session could not decode the unit, or could not be made.
    case undecodable = "undecodable"
    /// The picture is larger than may be decoded.
    case tooLarge = "too-large"
}
