/// The permission to receive the peer's files.
package enum FilePermission: String, Hashable, Sendable, Codable, CaseIterable {
    case never
    /// A person is asked about each batch.
    case ask
    /// Files are accepted without a question, from a paired device with permission.
    case always
}
