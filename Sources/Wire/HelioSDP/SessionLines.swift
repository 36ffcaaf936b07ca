/// The origin of a description: the sending host, the session and its version (`o=`, RFC 8866 section 5.2).
package struct Origin: Hashable, Sendable {
    /// The user name; `-` if the host has no user names.
    package var username: String
    package var sessionID: UInt64
    package var sessionVersion: UInt64
    package var host: ConnectionData

    package init(username: String = "-", sessionID: UInt64, sessionVersion: UInt64 = 1, host: ConnectionData) {
        self.username = username
        self.sessionID = sessionID
        self.sessionVersion = sessionVersion
        self.host = host
    }

    init?(_ value: String) {
        let fields = Text.fields(value, by: 0x20)
        guard fields.count == 6, Text.isWord(fields[0]), let id = Text.decimal(fields[1]),
            let version = Text.decimal(fields[2]), let host = ConnectionData(fields[3...])
        else { return nil }
        self.init(username: String(fields[0]), sessionID: id, sessionVersion: version, host: host)
    }

    var value: String { "\(username) \(sessionID) \(sessionVersion) \(host.value)" }
}

/// The destination address of media (`c=`, RFC 8866 section 5.7), or the host of the origin; the network type is always
/// `IN`.
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

    /// Reads the three fields `IN`, family, address.
    init?(_ fields: ArraySlice<Substring>) {
        let fields = Array(fields)
        guard fields.count == 3, fields[0] == "IN", let family = Family(rawValue: String(fields[1])),
            Text.isWord(fields[2])
        else { return nil }
        self.init(family, String(fields[2]))
    }

    var value: String { "IN \(family.rawValue) \(address)" }
}

/// A proposed bandwidth (`b=`, RFC 8866 section 5.8).
package struct Bandwidth: Hashable, Sendable {
    /// The type: `AS` and `CT` are in kilobits per second, `TIAS` in bits per second (RFC 3890).
    package var type: String
    package var value: UInt64

    package init(type: String, value: UInt64) {
        self.type = type
        self.value = value
    }

    init?(_ text: String) {
        let (type, value) = Text.cut(text, at: UInt8(ascii: ":"))
        guard Text.isToken(type), let value, let number = Text.decimal(value) else { return nil }
        self.init(type: String(type), value: number)
    }

    var text: String { "\(type):\(value)" }
}
