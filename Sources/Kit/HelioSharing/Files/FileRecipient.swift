/// A peer that files can be sent to now.
public struct FileRecipient: Sendable, Hashable, Identifiable {
    /// The peer's number, valid within this process.
    public let id: Int
    /// The peer's name: a paired device's name, or an address.
    public let name: String
}
