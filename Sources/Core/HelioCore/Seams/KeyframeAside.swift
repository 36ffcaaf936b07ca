/// Where a keyframe is that an encoder codes aside, while pictures go on.
package enum KeyframeAside: Sendable, Hashable {
    /// There is none.
    case absent
    case coding
    /// It waits to be taken (`VideoEncoding.takeKeyframe`).
    case complete
}
