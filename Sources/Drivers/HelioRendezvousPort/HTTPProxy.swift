package import HelioCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// The HTTP proxy by which a network lets connections out, with the method `CONNECT` (RFC 9110 section 9.3.6).
package struct HTTPProxy: Sendable, Hashable {
    /// The variables with the proxy for HTTPS and with the servers that need none, as curl reads them.
    private static let variables = ["https_proxy", "HTTPS_PROXY"]
    private static let exceptions = ["no_proxy", "NO_PROXY"]
    private static let scheme = "http://"
    private static let defaultPort: UInt16 = 1080

    /// The proxy's name or address, without brackets.
    package let host: String
    package let port: UInt16
    /// The value of `Proxy-Authorization`: name and password (RFC 7617); `nil` without.
    let authorization: String?

    /// Reads a variable of this process's environment.
    @Sendable package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Parses `http://[NAME[:PASSWORD]@]HOST[:PORT]`, of which the scheme may be missing; `nil` if it is malformed.
    init?(parsing text: String) {
        var rest = text[...]
        if rest.lowercased().hasPrefix(Self.scheme) { rest = rest.dropFirst(Self.scheme.count) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var user: Substring?
        if let at = rest.lastIndex(of: "@") {
            user = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        guard let (host, port) = Authority.parse(rest, excluding: "@[]/\\\"?#", digits: 5) else { return nil }
        self.host = host
        self.port = port ?? Self.defaultPort
        guard let user else {
            authorization = nil
            return
        }
        guard var bytes = Self.decoded(user) else { return nil }
        if !bytes.contains(UInt8(ascii: ":")) { bytes.append(UInt8(ascii: ":")) }
        authorization = "Basic \(Base64.encode(bytes))"
    }

    /// Returns the bytes of a text in which some are written as `%` and two hexadecimal digits (RFC 3986 section 2.1).
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var (bytes, rest) = ([UInt8](), Array(text.utf8)[...])
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else {
                bytes.append(first)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let byte = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    /// Returns the proxy for a server; `nil` if it needs none. Throws `invalidArgument` for a malformed variable.
    ///
    /// - Parameter read: reads a variable.
    package static func find(
        for server: String, _ read: (String) -> String?
    ) throws(HelioError) -> HTTPProxy? {
        func first(_ names: [String]) -> String? {
            for name in names { if let text = read(name), !text.isEmpty { return text } }
            return nil
        }
        let isHere = server == "localhost" || IPAddress(server)?.isLoopback ?? false
        guard !isHere, let text = first(variables), !isExcepted(server, first(exceptions) ?? "") else { return nil }
        guard let proxy = HTTPProxy(parsing: text) else {
            throw HelioError(
                .invalidArgument, "The variable HTTPS_PROXY can't be read: it goes http://[NAME:PASSWORD@]HOST:PORT.")
        }
        return proxy
    }

    /// True if a list of names, separated by commas, has the server's or a domain that it is in; `*` has all.
    private static func isExcepted(_ server: String, _ list: String) -> Bool {
        list.lowercased().split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }
            return name == "*" || server == name || server.hasSuffix(".\(name)")
        }
    }

    /// The proxy's place for people; it never has the password.
    var place: String { Authority.text(host, port: port) }
}
