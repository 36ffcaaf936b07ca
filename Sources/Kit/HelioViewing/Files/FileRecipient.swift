/// Another end that files can be sent to now.
public struct FileRecipient: Sendable, Hashable, Identifiable {
    /// Its number, of this process alone.
    public let id: Int
    /// What it is called: a paired device's name, or an address.
    public let name: String
}
