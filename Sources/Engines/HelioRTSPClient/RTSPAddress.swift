package import HelioCore
package import HelioProtection

/// The address of a stream at another program's RTSP server: `rtsp://[USER[:PASSWORD]@]HOST[:PORT]/PATH` (RFC 2326
/// section 3.2), or `rtsps://` for RTSP over TLS (RFC 7826 section 4.2). `#sha256=FINGERPRINT` at the end of an
/// `rtsps://` address pins the server's certificate, which then needs no certificate authority.
///
/// Parsing removes user and password, so that `uri` and the descriptions don't contain them.
package struct RTSPAddress: Sendable, Hashable {
    package struct Credentials: Sendable, Hashable {
        package var user: String
        package var password: SecretBytes

        package init(user: String, password: SecretBytes) {
            self.user = user
            self.password = password
        }

        package func hash(into hasher: inout Hasher) { hasher.combine(user) }
    }

    package static let scheme = "rtsp://"
    package static let defaultPort: UInt16 = 554
    package static let secureScheme = "rtsps://"
    package static let defaultSecurePort: UInt16 = 322

    package let host: String
    package let port: UInt16
    /// The URI for requests, in visible ASCII characters and without credentials.
    package let uri: String
    package var credentials: Credentials?
    /// True for RTSP over TLS.
    package let isSecure: Bool
    /// The SHA-256 of the server's pinned certificate; `nil` to accept any certificate that a trusted authority has
    /// signed.
    package let fingerprint: [UInt8]?

    /// Parses an address. Throws `invalidArgument` if it is malformed; the message contains none of the text, which may
    /// include a password.
    package init(parsing text: String) throws(HelioError) {
        let malformed = HelioError(
            .invalidArgument,
            "The rtsp:// address can't be read: it goes rtsp://[USER:PASSWORD@]HOST[:PORT]/PATH, with other signs in "
                + "user and password as %XX.")
        guard Self.isScheme(text) else { throw malformed }
        isSecure = Self.begins(text, with: Self.secureScheme)
        let scheme = isSecure ? Self.secureScheme : Self.scheme
        let rest = text.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let fragment = text.utf8[rest.endIndex...].dropFirst()
        if isSecure, !fragment.isEmpty {
            guard let fingerprint = PinnedCertificate.parse(fragment) else {
                throw HelioError(
                    .invalidArgument,
                    "What stands behind # in an rtsps:// address has to be sha256= and the 64 digits of a "
                        + "certificate's fingerprint, with or without colons.")
            }
            self.fingerprint = fingerprint
        } else {
            fingerprint = nil
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        var place = Substring(authority)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
            place = Substring(authority[authority.index(after: at)...])
            guard let found = Self.credentials(authority[..<at]) else { throw malformed }
            credentials = found
        }
        guard let (host, port) = Authority.parse(place) else { throw malformed }
        self.host = host
        self.port = port ?? (isSecure ? Self.defaultSecurePort : Self.defaultPort)
        uri = scheme + Authority.host(host) + (port.map { ":\($0)" } ?? "") + Self.escaped(rest[authority.endIndex...])
    }

    package var authority: String { Authority.text(host, port: port) }

    package static func isScheme(_ text: String) -> Bool {
        begins(text, with: scheme) || begins(text, with: secureScheme)
    }

    private static func begins(_ text: String, with scheme: String) -> Bool {
        text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
    }

    private static func credentials(_ text: Substring.UTF8View) -> Credentials? {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = PercentEncoding.bytes(parts[0]).flatMap({ String(validating: $0, as: UTF8.self) }),
            let password = parts.count > 1 ? PercentEncoding.bytes(parts[1]) : [],
            user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return Credentials(user: user, password: SecretBytes(password))
    }

    /// Percent-encodes all bytes except visible ASCII; existing escapes are kept.
    private static func escaped(_ text: Substring.UTF8View) -> String {
        let digits = [UInt8]("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text {
            if (0x21...0x7E).contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension RTSPAddress: CustomStringConvertible, CustomReflectable {
    /// The URI without credentials.
    package var description: String { uri }
    package var customMirror: Mirror { Mirror(self, children: ["uri": uri]) }
}
