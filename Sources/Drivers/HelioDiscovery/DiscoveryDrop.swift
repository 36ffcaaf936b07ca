/// The reason why an announcement, or a part of one, was dropped.
package enum DiscoveryDrop: String, CaseIterable, Sendable {
    /// A service beyond the maximum number that are resolved.
    case tooManyServices = "too-many-services"
    /// A host beyond the maximum number that are listed.
    case tooManyHosts = "too-many-hosts"
    /// An address beyond the maximum number that are listed for one host.
    case tooManyAddresses = "too-many-addresses"
    /// A service that was announced, but could not be resolved.
    case unresolved
    /// An address that no other machine can have, or no address at all.
    case uselessAddress = "useless-address"
    /// Port 0.
    case uselessPort = "useless-port"
    /// A TXT record that can't be read.
    case malformedText = "malformed-text"
    /// An invalid field of a TXT record; the record's other fields are used.
    case malformedField = "malformed-field"
    /// A TXT record of another format version.
    case unknownVersion = "unknown-version"
    /// A name without any character that can be shown.
    case unreadableName = "unreadable-name"
}
