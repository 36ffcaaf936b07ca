/// The state of a keyframe that an encoder codes aside while it continues with pictures.
package enum KeyframeAside: Sendable, Hashable {
    /// No keyframe is coded aside.
    case absent
    case coding
    /// The keyframe is ready for `VideoEncoding.takeKeyframe`.
    case complete
}
