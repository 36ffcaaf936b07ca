/// An event that a broadcast's sender reports to its owner.
package enum BroadcastEvent: Sendable, Hashable {
    case state(BroadcastState)
    /// The encoder has to code the next picture as a keyframe.
    case wantsKeyframe
}
