/// The reason why an announcement, or one of its fields, was dropped.
package enum DiscoveryDrop: String, CaseIterable, Sendable {
    /// A service beyond the maximum number of services to resolve.
    case tooManyServices = "too-many-services"
    /// A host beyond the maximum number of hosts in the list.
    case tooManyHosts = "too-many-hosts"
    /// An address beyond the maximum number of addresses of one host.
    case tooManyAddresses = "too-many-addresses"
    /// A service that was announced, but could not be resolved.
    case unresolved
    /// An address that can't be another machine's: unspecified, multicast or loopback.
    case uselessAddress = "useless-address"
    /// A service with port 0.
    case uselessPort = "useless-port"
    /// A malformed TXT record.
    case malformedText = "malformed-text"
    /// An invalid field of a TXT record; the record's other fields are used.
    case malformedField = "malformed-field"
    /// A TXT record of another format version.
    case unknownVersion = "unknown-version"
    /// A name without any printable character.
    case unreadableName = "unreadable-name"
}
