/// The reason why an announcement, or a part of one, was dropped.
package enum DiscoveryDrop: String, CaseIterable, Sendable {
    /// More services than are resolved.
    case tooManyServices = "too-many-services"
    /// More hosts than are kept.
    case tooManyHosts = "too-many-hosts"
    /// More addresses of one host than are kept.
    case tooManyAddresses = "too-many-addresses"
    /// A service that was announced, but could not be resolved.
    case unresolved
    /// An address that no other machine can have, or no address at all.
    case uselessAddress = "useless-address"
    /// Port 0.
    case uselessPort = "useless-port"
    /// A TXT record that can't be read.
    case malformedText = "malformed-text"
    /// A field of a TXT record that makes no sense; the rest of it was taken.
    case malformedField = "malformed-field"
    /// A TXT record of another format version.
    case unknownVersion = "unknown-version"
    /// A name without a character that can be shown.
    case unreadableName = "unreadable-name"
}
