package import HelioProtection

/// A STUN or TURN server that a WHIP server names in a `Link` field of its response (RFC 9725 section 4.6). No
/// description contains the password.
package struct WHIPServer: Sendable, Hashable {
    /// The maximum number of servers that are read from a response.
    package static let limit = 8

    /// The server's URL: `stun:HOST…`, `turn:HOST…` or `turns:HOST…` (RFC 7064, RFC 7065).
    package var url: String
    package var username: String
    package var password: SecretBytes

    package func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(username)
    }

    /// Returns the servers in the values of `Link` fields (RFC 8288 section 3). Malformed links, and links to other
    /// resources, are ignored.
    static func all(in links: [String]) -> [WHIPServer] {
        var found: [WHIPServer] = []
        for link in links {
            var reader = LinkReader(link)
            while found.count < limit, let link = reader.next() {
                guard let server = WHIPServer(link) else { continue }
                found.append(server)
            }
        }
        return found
    }

    private init?(_ link: LinkReader.Link) {
        guard let relations = link.parameters["rel"],
            relations.split(separator: " ").contains(where: { $0.lowercased() == "ice-server" }),
            ["stun:", "turn:", "turns:"].contains(where: link.target.begins)
        else { return nil }
        // Ignore servers with unsupported types of credentials.
        if let type = link.parameters["credential-type"], type.lowercased() != "password" { return nil }
        url = link.target
        username = link.parameters["username"] ?? ""
        password = SecretBytes(Array((link.parameters["credential"] ?? "").utf8))
    }
}
