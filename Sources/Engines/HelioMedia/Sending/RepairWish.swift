/// A request to an encoder for a repair picture, with its reason.
package struct RepairWish: Sendable, Hashable {
    /// The index of the last frame that the viewer has complete.
    package var since: UInt64
    /// The human-readable reason, for logs that explain large frames.
    package var reason: String

    package init(since: UInt64, _ reason: String) {
        self.since = since
        self.reason = reason
    }
}
