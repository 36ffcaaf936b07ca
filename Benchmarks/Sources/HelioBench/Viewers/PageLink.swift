import HelioAdmission
import HelioCore

/// The host's link for browsers, `http://HOST:PORT/#XXXX-XXXX-XXXX-XXXX`: the address of its page, and the secret.
struct PageLink: Sendable {
    let host: String
    let port: Int
    /// The host and port, as in the `Host` header.
    let authority: String
    let secret: [UInt8]

    /// The page's origin, as a browser sends it in `Origin`.
    var origin: String { "http://\(authority)" }

    /// Parses a link; throws `invalidArgument` without the secret in the message.
    init(_ text: String) throws(HelioError) {
        let scheme = "http://"
        let parts = text.split(whereSeparator: \.isWhitespace).joined().split(separator: "#")
        let authority = parts.first?.dropFirst(scheme.count).prefix { $0 != "/" } ?? ""
        guard parts.count == 2, parts[0].hasPrefix(scheme), let colon = authority.lastIndex(of: ":"),
            let port = UInt16(authority[authority.index(after: colon)...]), colon > authority.startIndex
        else { throw HelioError(.invalidArgument, "A link is http://HOST:PORT/#XXXX-XXXX-XXXX-XXXX") }
        host = authority[..<colon].filter { $0 != "[" && $0 != "]" }
        self.port = Int(port)
        self.authority = String(authority)
        secret = try ShareLink.secret(parts[1])
    }
}
