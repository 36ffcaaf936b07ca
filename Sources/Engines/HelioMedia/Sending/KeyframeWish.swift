/// Why a keyframe is wanted of an encoder.
package struct KeyframeWish: Sendable, Hashable {
    /// For people who look for the cause of large frames.
    package var reason: String
    /// A viewer has nothing yet; each says so once.
    package var isJoin: Bool

    package init(_ reason: String, isJoin: Bool = false) {
        self.reason = reason
        self.isJoin = isJoin
    }
}
