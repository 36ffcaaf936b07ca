/// A request to an encoder for a keyframe, with its reason.
package struct KeyframeWish: Sendable, Hashable {
    /// The human-readable reason, for logs that explain large frames.
    package var reason: String
    /// True for a viewer that has no picture yet; each viewer sends one such request.
    package var isJoin: Bool

    /// True if a viewer supports repair pictures, and they have not helped.
    package var isLastResort: Bool

    package init(_ reason: String, isJoin: Bool = false, isLastResort: Bool = false) {
        self.reason = reason
        self.isJoin = isJoin
        self.isLastResort = isLastResort
    }
}
