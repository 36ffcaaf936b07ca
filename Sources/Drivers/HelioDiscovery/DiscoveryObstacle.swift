/// The reason why hosts can't be found or announced at present.
package struct DiscoveryObstacle: Hashable, Sendable, CustomStringConvertible {
    /// The human-readable cause, without a full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
