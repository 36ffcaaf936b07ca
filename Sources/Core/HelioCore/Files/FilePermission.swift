/// Whether files of the other end are taken.
package enum FilePermission: String, Hashable, Sendable, Codable, CaseIterable {
    case never
    /// A person is asked, for each batch.
    case ask
    /// Without a question: a paired device that may.
    case always
}
