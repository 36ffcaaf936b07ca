package import HelioCore

/// The destination of a stream by RTMP: `rtmp://HOST[:PORT]/APPLICATION[/INSTANCE]`, or `rtmps://` for RTMP in TLS,
/// with `#sha256=FINGERPRINT` appended to pin a certificate that no trusted authority has signed. The stream key is
/// given separately, as addresses appear in process lists and logs.
///
/// No description contains the key or the part after the host, as users may have put a key there.
package struct RTMPAddress: Sendable, Hashable {
    package static let scheme = "rtmp://"
    package static let defaultPort: UInt16 = 1935
    package static let secureScheme = "rtmps://"
    package static let defaultSecurePort: UInt16 = 443
    /// The maximum size of an address in bytes.
    package static let maximumSize = 2048
    /// The maximum size of an application with its instance, in bytes.
    package static let maximumApplication = 512

    /// The host's name or address, without brackets.
    package let host: String
    package let port: UInt16
    /// True for RTMP in TLS.
    package let isSecure: Bool
    /// The application and its instance: the part after the host, without the leading slash.
    package let application: String
    /// The SHA-256 of the pinned server certificate; `nil` to accept any certificate that a trusted authority has
    /// signed.
    package let fingerprint: [UInt8]?
    package let key: StreamSecret
    /// True if the address has an explicit port, which is kept in the URL, as servers compare URLs.
    private let hasPort: Bool

    /// Parses an address. Throws `invalidArgument` if it is malformed. The message contains nothing of the text, which
    /// may contain a key.
    package init(parsing text: String, key: StreamSecret) throws(HelioError) {
        self.key = key
        let malformed = HelioError(
            .invalidArgument,
            "The rtmp:// address can't be read: it goes rtmp://HOST[:PORT]/APPLICATION or "
                + "rtmps://HOST[:PORT]/APPLICATION, without the stream key.")
        guard text.utf8.count <= Self.maximumSize, Self.isScheme(text) else { throw malformed }
        isSecure = Self.begins(text, with: Self.secureScheme)
        let scheme = isSecure ? Self.secureScheme : Self.scheme
        let rest = text.utf8.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let fragment = text.utf8[rest.endIndex...].dropFirst()
        if fragment.isEmpty {
            fingerprint = nil
        } else {
            guard isSecure, let fingerprint = PinnedCertificate.parse(fragment) else {
                throw HelioError(
                    .invalidArgument,
                    "What stands behind # in an rtmps:// address has to be sha256= and the 64 digits of a "
                        + "certificate's fingerprint, with or without colons; rtmp:// has none.")
            }
            self.fingerprint = fingerprint
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        guard let (host, port) = Authority.parse(Substring(authority), excluding: "?@[]\\\"", digits: 5) else {
            throw malformed
        }
        self.host = host
        self.port = port ?? (isSecure ? Self.defaultSecurePort : Self.defaultPort)
        hasPort = port != nil
        var path = rest[authority.endIndex...].dropFirst()
        while path.last == UInt8(ascii: "/") { path = path.dropLast() }
        guard !path.isEmpty else {
            throw HelioError(
                .invalidArgument, "An rtmp:// address names an application behind the host, such as /live or /app.")
        }
        // Refuse @ and ?, as the text before an @ or after a ? may be a secret.
        guard path.count <= Self.maximumApplication,
            path.allSatisfy({ (0x21...0x7E).contains($0) && !"?@\\\"".utf8.contains($0) })
        else { throw malformed }
        application = String(Substring(path))
    }

    /// The URL sent to the server in `connect`, without key and fingerprint.
    package var connectURL: String {
        (isSecure ? Self.secureScheme : Self.scheme) + Authority.host(host) + (hasPort ? ":\(port)" : "") + "/"
            + application
    }

    package var authority: String { Authority.text(host, port: port) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(host)
        hasher.combine(port)
        hasher.combine(application)
    }

    package static func isScheme(_ text: String) -> Bool {
        begins(text, with: scheme) || begins(text, with: secureScheme)
    }

    private static func begins(_ text: String, with scheme: String) -> Bool {
        text.utf8.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
    }
}

extension RTMPAddress: CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port, which are safe to show and log.
    package var description: String { (isSecure ? Self.secureScheme : Self.scheme) + authority }
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
