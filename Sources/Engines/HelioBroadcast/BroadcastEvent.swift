/// An event that a broadcast's sender reports to its owner.
package enum BroadcastEvent: Sendable, Hashable {
    case state(BroadcastState)
    /// The encoder should make a keyframe of the next picture.
    case wantsKeyframe
}
