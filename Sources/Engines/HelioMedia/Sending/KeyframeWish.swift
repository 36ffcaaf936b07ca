/// A request to an encoder for a keyframe, with its reason.
package struct KeyframeWish: Sendable, Hashable {
    /// The reason, for people who look for the cause of large frames.
    package var reason: String
    /// True for a viewer that has no picture yet; each asks so once.
    package var isJoin: Bool

    /// True for a viewer whom repair pictures help as a rule: it is asked for where those did not.
    package var isLastResort: Bool

    package init(_ reason: String, isJoin: Bool = false, isLastResort: Bool = false) {
        self.reason = reason
        self.isJoin = isJoin
        self.isLastResort = isLastResort
    }
}
