import HelioAdmission
import HelioCore

/// The host's link for browsers, `http://HOST:PORT/#XXXX-XXXX-XXXX-XXXX`: where its page is, and what lets one in.
struct PageLink: Sendable {
    let host: String
    let port: Int
    /// As in `Host`.
    let authority: String
    let secret: [UInt8]

    /// As a browser names the page in `Origin`.
    var origin: String { "http://\(authority)" }

    /// Throws `invalidArgument`, without repeating the secret.
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
