public import HelioAppModels

/// The hosts that announce themselves on the network at one moment.
public struct FoundHosts: Hashable, Sendable {
    /// The announced hosts; the announcements are not authenticated.
    public var hosts: [ListedHost]
    /// The reason why hosts can't be found, as a sentence; `nil` if browsing works.
    public var obstacle: String?

    /// Makes a list, by default without an obstacle.
    public init(_ hosts: [ListedHost], obstacle: String? = nil) {
        self.hosts = hosts
        self.obstacle = obstacle
    }
}
