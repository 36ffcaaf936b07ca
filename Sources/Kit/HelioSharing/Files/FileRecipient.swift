/// A peer that files can be sent to now.
public struct FileRecipient: Sendable, Hashable, Identifiable {
    /// The peer's number, valid within this process.
    public let id: Int
    /// The peer's name: a paired device's name; or else the name that it gives itself, with its address in brackets
    /// behind it, or the address alone.
    public let name: String

    /// True if a typed text names the peer of this name: it is the name, or the address in brackets at its end. `nil`
    /// names every peer.
    static func isCalled(_ typed: String?, _ name: String) -> Bool {
        guard let typed else { return true }
        return name == typed || HostFinder.isAddress(typed) && name.hasSuffix(" (\(typed))")
    }
}
