package import HelioSRTLink

/// What a sender by SRT tells.
package enum SRTEvent: Sendable, Hashable {
    case state(SRTState)
    /// Pictures are dropped until a keyframe comes: the encoder should make one.
    case wantsKeyframe
}
