/// A peer that files can be sent to now.
public struct FileRecipient: Sendable, Hashable, Identifiable {
    /// The peer's number, valid within this process.
    public let id: Int
    /// The peer's name. For a paired device, it is the name in the list of devices; for another peer, the name that the
    /// peer gives itself, followed by its address in brackets, or the address alone.
    public let name: String

    /// True if a typed text matches a peer's name: the text is the whole name, or the address in brackets at its end.
    /// `nil` matches every peer.
    static func isCalled(_ typed: String?, _ name: String) -> Bool {
        guard let typed else { return true }
        return name == typed || HostFinder.isAddress(typed) && name.hasSuffix(" (\(typed))")
    }
}
