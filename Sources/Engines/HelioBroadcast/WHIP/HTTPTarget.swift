import HelioCore

/// The target of an HTTP request: `http://HOST[:PORT]/PATH[?QUERY]`, or `https://` for HTTP in TLS (RFC 9110 section
/// 4.2).
///
/// No description contains the part after the host, as some servers have keys there.
package struct HTTPTarget: Sendable, Hashable {
    package static let scheme = "http://"
    package static let secureScheme = "https://"
    package static let defaultPort: UInt16 = 80
    package static let defaultSecurePort: UInt16 = 443
    /// The maximum size of an address in bytes.
    package static let maximumSize = 2048

    package let isSecure: Bool
    /// The host's name or address, without brackets.
    package let host: String
    package let port: UInt16
    /// The path and query of a request: visible ASCII, from the first slash on.
    package let path: String

    /// Parses an address that begins with `http://` or `https://`, in upper or lower case, and ignores a fragment. The
    /// result is `nil` for any other text.
    package init?(parsing text: String) {
        guard text.utf8.count <= Self.maximumSize else { return nil }
        let isSecure = text.begins(with: Self.secureScheme)
        guard isSecure || text.begins(with: Self.scheme) else { return nil }
        let scheme = isSecure ? Self.secureScheme : Self.scheme
        self.init(behindScheme: text.utf8.dropFirst(scheme.utf8.count), isSecure: isSecure)
    }

    /// Parses `HOST[:PORT]/PATH[?QUERY]`.
    init?(behindScheme text: Substring.UTF8View, isSecure: Bool) {
        let whole = text.prefix { $0 != UInt8(ascii: "#") }
        let authority = whole.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let (host, port) = Authority.parse(Substring(authority), excluding: "@[]\\\"", digits: 5),
            let path = Self.path(whole[authority.endIndex...])
        else { return nil }
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? (isSecure ? Self.defaultSecurePort : Self.defaultPort)
        self.path = path
    }

    private init(_ base: HTTPTarget, path: String) {
        isSecure = base.isSecure
        host = base.host
        port = base.port
        self.path = path
    }

    /// Resolves the `Location` in a response from this target (RFC 3986 section 5.2). Returns `nil` if it is malformed,
    /// too long, or of another scheme.
    package func resolving(_ reference: String) -> HTTPTarget? {
        guard reference.utf8.count <= Self.maximumSize else { return nil }
        let text = reference.utf8.prefix { $0 != UInt8(ascii: "#") }
        let own = self.path.utf8.prefix { $0 != UInt8(ascii: "?") }
        switch text.first {
        case nil: return HTTPTarget(self, path: self.path)
        case UInt8(ascii: "?"):
            return Self.path(Substring(String(Substring(own)) + String(Substring(text))).utf8)
                .map { HTTPTarget(self, path: $0) }
        case UInt8(ascii: "/"):
            if text.dropFirst().first == UInt8(ascii: "/") {
                return HTTPTarget(behindScheme: text.dropFirst(2), isSecure: isSecure)
            }
            return Self.path(text).map { HTTPTarget(self, path: $0) }
        default: break
        }
        // A colon before the first slash or question mark ends a scheme.
        let first = text.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        if first.contains(UInt8(ascii: ":")) { return HTTPTarget(parsing: String(Substring(text))) }
        let folder = own.prefix(through: own.lastIndex(of: UInt8(ascii: "/")) ?? own.startIndex)
        return Self.path(Substring(String(Substring(folder)) + String(Substring(text))).utf8)
            .map { HTTPTarget(self, path: $0) }
    }

    /// Removes the segments `.` and `..` from a path with query (RFC 3986 section 5.2.4). Returns `nil` if the text is
    /// not visible ASCII, or too long.
    private static func path(_ text: Substring.UTF8View) -> String? {
        guard text.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        let path = text.prefix { $0 != UInt8(ascii: "?") }
        let query = String(Substring(text[path.endIndex...]))
        var kept: [Substring.UTF8View] = []
        var isFolder = true
        for part in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            isFolder = part.elementsEqual(".".utf8) || part.elementsEqual("..".utf8)
            if part.elementsEqual("..".utf8) { _ = kept.popLast() } else if !isFolder { kept.append(part) }
        }
        var result = kept.reduce(into: "") { $0 += "/" + String(Substring($1)) }
        if isFolder { result += "/" }
        guard result.utf8.count + query.utf8.count <= maximumSize else { return nil }
        return result + query
    }

    /// Returns true if both targets have the same origin (RFC 9110 section 4.3.1): scheme, host and port.
    func isSameOrigin(as other: HTTPTarget) -> Bool {
        isSecure == other.isSecure && port == other.port && host.lowercased() == other.host.lowercased()
    }

    /// The value of a request's `Host` field (RFC 9112 section 3.2).
    package var authority: String {
        port == (isSecure ? Self.defaultSecurePort : Self.defaultPort)
            ? Authority.host(host) : Authority.text(host, port: port)
    }
}

extension HTTPTarget: CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port, which are safe to show and log.
    package var description: String {
        (isSecure ? Self.secureScheme : Self.scheme) + Authority.text(host, port: port)
    }
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}

extension String {
    /// Returns true if the text begins with `ascii`, ignoring case.
    func begins(with ascii: String) -> Bool {
        utf8.prefix(ascii.utf8.count).map { $0 | 0x20 }.elementsEqual(ascii.utf8.map { $0 | 0x20 })
    }
}
