package import HelioCore

/// The address of a rendezvous server: `https://HOST[:PORT][/PATH][#FINGERPRINT]`, or `http://` for a server on this
/// machine.
///
/// The fingerprint is the SHA-256 of the server's certificate in base 32; it pins a certificate that no authority has
/// signed. Without TLS anybody on the way could see which devices call each other, so `http://` is only accepted for
/// loopback addresses and `localhost`.
package struct RendezvousPlace: Sendable, Hashable, CustomStringConvertible {
    private static let secureScheme = "https://"
    private static let plainScheme = "http://"
    /// The longest address in bytes.
    private static let maximumSize = 1024
    private static let fingerprintLength = 32

    /// The address without the fingerprint, as it was given.
    package let url: String
    /// The SHA-256 of the only accepted certificate; `nil` accepts a certificate that a trusted authority has signed.
    package let fingerprint: [UInt8]?
    package let isSecure: Bool
    /// The server's name or address, in lower case and without brackets.
    package let host: String
    package let port: UInt16
    /// The path of the WebSocket.
    package let path: String

    /// Parses an address. Throws `invalidArgument` if it is malformed.
    package init(parsing text: String) throws(HelioError) {
        guard text.utf8.count <= Self.maximumSize, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Self.malformed
        }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        url = String(parts[0])
        let lower = url.lowercased()
        isSecure = lower.hasPrefix(Self.secureScheme)
        guard isSecure || lower.hasPrefix(Self.plainScheme) else { throw Self.malformed }
        let rest = url.dropFirst((isSecure ? Self.secureScheme : Self.plainScheme).count)
        let authority = rest.prefix { $0 != "/" }
        let folder = rest[authority.endIndex...]
        guard let (host, port) = Authority.parse(authority, excluding: "@[]\\\"?", digits: 5), !folder.contains("?")
        else { throw Self.malformed }
        self.host = host.lowercased()
        self.port = port ?? (isSecure ? 443 : 80)
        path = (folder.hasSuffix("/") ? folder.dropLast() : folder) + "/device"
        guard parts.count == 2 else {
            fingerprint = nil
            guard isSecure || Self.isThisMachine(self.host) else {
                throw HelioError(
                    .invalidArgument,
                    "The rendezvous server at \(url) would be spoken to without TLS: give its https:// address. Only a "
                        + "server on this machine may have an http:// address.")
            }
            return
        }
        guard isSecure, let bytes = Base32.decode(parts[1]), bytes.count == Self.fingerprintLength else {
            throw HelioError(
                .invalidArgument,
                "What stands behind # in a rendezvous server's https:// address has to be its certificate's "
                    + "fingerprint, 52 letters and digits; an http:// address has none.")
        }
        fingerprint = bytes
    }

    private static var malformed: HelioError {
        HelioError(
            .invalidArgument,
            "The rendezvous server's address can't be read: it goes https://HOST[:PORT][/PATH], with "
                + "#FINGERPRINT behind it where the server has a certificate of its own making.")
    }

    private static func isThisMachine(_ host: String) -> Bool {
        host == "localhost" || IPAddress(host)?.isLoopback ?? false
    }

    /// True if the address is this machine's loopback.
    package var isOnThisMachine: Bool { Self.isThisMachine(host) }

    /// Host and port as the device signs them.
    package var authority: String { Authority.text(host, port: port) }

    /// The value of `Host` in a request: without the port if it is the scheme's own (RFC 9110 section 7.2).
    var hostField: String { port == (isSecure ? 443 : 80) ? Authority.host(host) : authority }

    package var description: String {
        fingerprint.map { "\(url)#\(Base32.encode($0).lowercased())" } ?? url
    }
}
