/// The user's choices for sharing.
public struct SharingOptions: Sendable, Hashable {
    /// The host's name; empty for the machine's own name.
    public var name = ""
    /// True to announce the host on the network.
    public var isAnnounced = true
    /// True if the sound that this machine plays is sent to viewers.
    public var sharesSound = true
    /// True if viewers may not drive this machine, because of the user's preference, or because the system does not let
    /// the app inject input.
    public var isViewOnly = false

    /// Makes options that share picture and sound, and allow control.
    public init() {}
}
