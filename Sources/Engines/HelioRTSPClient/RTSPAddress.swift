package import HelioCore
package import HelioProtection

/// The address of another program's stream: `rtsp://[USER[:PASSWORD]@]HOST[:PORT]/PATH` (RFC 2326 section 3.2), or
/// `rtsps://` for RTSP over TLS (RFC 7826 section 4.2), with `#sha256=FINGERPRINT` at its end where no authority
/// vouches for the server's certificate.
///
/// Neither `uri` nor any description holds user or password: they are taken out once, here.
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
    /// The URI for requests: visible ASCII, without credentials.
    package let uri: String
    package var credentials: Credentials?
    /// True for RTSP over TLS.
    package let isSecure: Bool
    /// The SHA-256 of the one certificate that the server may show; `nil`: any that an authority vouches for.
    package let fingerprint: [UInt8]?

    /// Parses an address, or throws `invalidArgument`. The message repeats nothing of the text: it may hold a password.
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
            guard let fingerprint = Self.fingerprint(fragment) else {
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
        guard let (host, port) = Self.place(place) else { throw malformed }
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

    /// Parses a fingerprint: `sha256=` and 64 hexadecimal digits, with colons between them or not.
    private static func fingerprint(_ fragment: Substring.UTF8View) -> [UInt8]? {
        let label = "sha256="
        guard fragment.starts(with: label.utf8) else { return nil }
        let digits = fragment.dropFirst(label.utf8.count).filter { $0 != UInt8(ascii: ":") }.map(digit)
        guard digits.count == 64 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 64, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func credentials(_ text: Substring.UTF8View) -> Credentials? {
        let parts = text.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = unescaped(parts[0]).flatMap({ String(validating: $0, as: UTF8.self) }),
            let password = parts.count > 1 ? unescaped(parts[1]) : [],
            user.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        return Credentials(user: user, password: SecretBytes(password))
    }

    /// Parses `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`.
    private static func place(_ text: Substring) -> (String, UInt16?)? {
        var host = text
        var number: Substring?
        if text.utf8.first == UInt8(ascii: "[") {
            guard let close = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<close]
            let after = text[text.index(after: close)...]
            guard after.isEmpty || after.hasPrefix(":") else { return nil }
            if !after.isEmpty { number = after.dropFirst() }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            number = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, host.utf8.count <= 255, host.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        guard let number else { return (String(host), nil) }
        guard number.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(number), port > 0 else {
            return nil
        }
        return (String(host), port)
    }

    /// Decodes %XX; `nil` where a `%` is not followed by two digits.
    private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 0x30
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 0x37
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 0x57
        default: nil
        }
    }

    /// Writes all but visible ASCII as %XX; what is escaped already stays.
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
    /// The URI without credentials: safe to show.
    package var description: String { uri }
    package var customMirror: Mirror { Mirror(self, children: ["uri": uri]) }
}
