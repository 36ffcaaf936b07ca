/// A host in the list: found on this network, paired, recently used, or several of these.
public struct ListedHost: Hashable, Sendable {
    /// The host's name; may be empty.
    public var name: String
    /// The host's address with its port; empty if only the name is known.
    public var address: String
    /// The SHA-256 of the host's certificate in hexadecimal; `nil` if it is not known.
    public var fingerprint: String?
    /// The time when the host was last used, in seconds since 1970; `nil` if it never was.
    public var usedAt: Int?

    /// Makes a host for the list, by default never used and without a known certificate.
    public init(name: String, address: String, fingerprint: String? = nil, usedAt: Int? = nil) {
        self.name = name
        self.address = address
        self.fingerprint = fingerprint
        self.usedAt = usedAt
    }

    /// True if both values probably describe the same host. This is only used for the list: announced names and
    /// fingerprints prove nothing, and a host proves its identity by its key when this device connects.
    func seems(_ other: ListedHost) -> Bool {
        if let fingerprint, let theirs = other.fingerprint { return fingerprint == theirs }
        return name == other.name || !address.isEmpty && address == other.address
    }
}
