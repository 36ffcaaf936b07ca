/// The user's choices for sharing.
public struct SharingOptions: Sendable, Hashable {
    /// The host's name; empty for the machine's own name.
    public var name = ""
    /// True to announce the host on the network.
    public var isAnnounced = true
    /// True if viewers hear this machine.
    public var sharesSound = true
    /// True if nobody may drive this machine, because the user wants that, or because the system does not let the app
    /// inject input.
    public var isViewOnly = false

    /// Makes options to be watched, heard and driven.
    public init() {}
}
