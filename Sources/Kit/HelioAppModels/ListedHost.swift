/// A host in the list: found on this network, paired with, used before, or several of these.
public struct ListedHost: Hashable, Sendable {
    /// What it is called; may be empty.
    public var name: String
    /// Where it is, with its port; empty where only its name is known.
    public var address: String
    /// SHA-256 of its certificate in hexadecimal; `nil` where it is not known.
    public var fingerprint: String?
    /// When it was used last, in seconds since 1970; `nil` for never.
    public var usedAt: Int?

    /// Makes it as it is at first.
    public init(name: String, address: String, fingerprint: String? = nil, usedAt: Int? = nil) {
        self.name = name
        self.address = address
        self.fingerprint = fingerprint
        self.usedAt = usedAt
    }

    /// True where the two seem to be one host. For the list alone: a name that is found proves nothing, and who a host is
    /// its key shows when it is opened.
    func seems(_ other: ListedHost) -> Bool {
        if let fingerprint, let theirs = other.fingerprint { return fingerprint == theirs }
        return name == other.name || !address.isEmpty && address == other.address
    }
}
