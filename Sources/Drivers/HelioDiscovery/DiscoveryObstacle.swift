/// The reason why no hosts can be found or announced for now.
package struct DiscoveryObstacle: Hashable, Sendable, CustomStringConvertible {
    /// The cause, for the user, without a full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
