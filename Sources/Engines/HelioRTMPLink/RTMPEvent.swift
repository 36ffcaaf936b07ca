/// What a publisher by RTMP tells.
package enum RTMPEvent: Sendable, Hashable {
    case state(RTMPState)
    /// Pictures are dropped until a keyframe comes: the encoder should make one.
    case wantsKeyframe
}
