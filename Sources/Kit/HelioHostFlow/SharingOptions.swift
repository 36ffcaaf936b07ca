/// What a person wants shared, and how.
public struct SharingOptions: Sendable, Hashable {
    /// What the host calls itself; empty for the machine's own name.
    public var name = ""
    /// Whether it is announced on the network.
    public var isAnnounced = true
    /// Whether viewers hear this machine.
    public var sharesSound = true
    /// Whether nobody can drive this machine: so it is wanted, or the system does not let the app act.
    public var isViewOnly = false

    /// Makes options to be watched, heard and driven.
    public init() {}
}
