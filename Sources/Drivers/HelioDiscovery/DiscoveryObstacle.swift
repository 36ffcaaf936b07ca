/// Why nothing can be found or announced for now.
package struct DiscoveryObstacle: Hashable, Sendable, CustomStringConvertible {
    /// For people: what is not there. No full stop.
    package var description: String

    package init(_ description: String) { self.description = description }
}
