public import HelioAppModels

/// The hosts that announce themselves on the network at one moment.
public struct FoundHosts: Hashable, Sendable {
    /// All that are known; what they say of themselves is not proven.
    public var hosts: [ListedHost]
    /// Why none can be found, where that is so: in a sentence.
    public var obstacle: String?

    /// Makes a list.
    public init(_ hosts: [ListedHost], obstacle: String? = nil) {
        self.hosts = hosts
        self.obstacle = obstacle
    }
}
