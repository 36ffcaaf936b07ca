/// A viewer's permission to control the host, or only to watch. The raw values are used in offers, messages and stored
/// pairings.
package enum ControlPermission: String, Sendable {
    case control
    case watch

    package init(allowsControl: Bool) { self = allowsControl ? .control : .watch }

    package var allowsControl: Bool { self == .control }
}

/// The permission to receive the peer's files.
package enum FilePermission: String, Hashable, Sendable, Codable, CaseIterable {
    case never
    /// The user is asked about each batch of files.
    case ask
    /// Files from a paired device with permission are accepted without confirmation.
    case always
}
