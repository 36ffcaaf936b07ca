/// Where media goes (`c=`, RFC 8866 section 5.7), and the host of the origin: always network type `IN`.
package struct ConnectionData: Hashable, Sendable {
    package enum Family: String, Sendable {
        case ip4 = "IP4"
        case ip6 = "IP6"
    }

    package var family: Family
    /// An address or a host name, as written; a multicast address keeps its `/ttl`.
    package var address: String

    package init(_ family: Family, _ address: String) {
        self.family = family
        self.address = address
    }

    /// From the three fields `IN`, family, address.
    init?(_ fields: ArraySlice<Substring>) {
        let fields = Array(fields)
        guard fields.count == 3, fields[0] == "IN", let family = Family(rawValue: String(fields[1])),
            Text.isWord(fields[2])
        else { return nil }
        self.init(family, String(fields[2]))
    }

    var value: String { "IN \(family.rawValue) \(address)" }
}
