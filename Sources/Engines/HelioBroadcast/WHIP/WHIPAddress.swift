package import HelioCore

/// The destination of a stream by WHIP (RFC 9725): `whip://HOST[:PORT]/PATH` by HTTP or `whips://HOST[:PORT]/PATH` by
/// HTTPS, or the endpoint's own address, `http://…` or `https://…`. `#sha256=FINGERPRINT` may be appended to pin a
/// certificate that no trusted authority has signed. The token is given separately.
///
/// No description contains the part after the host, as some servers have keys there.
package struct WHIPAddress: Sendable, Hashable {
    package static let scheme = "whip://"
    package static let secureScheme = "whips://"

    /// The target to which the offer is sent.
    package let endpoint: HTTPTarget
    /// The SHA-256 of the pinned server certificate; `nil` to accept any certificate that a trusted authority has
    /// signed.
    package let fingerprint: [UInt8]?

    /// Parses an address. Throws `invalidArgument` if it is malformed. The message contains nothing of the text, which
    /// may contain a key.
    package init(parsing text: String) throws(HelioError) {
        let malformed = HelioError(
            .invalidArgument,
            "The whip:// address can't be read: it goes whip://HOST[:PORT]/PATH, or whips://HOST[:PORT]/PATH where the "
                + "server has TLS.")
        guard text.utf8.count <= HTTPTarget.maximumSize, let scheme = Self.schemes.first(where: text.begins) else {
            throw malformed
        }
        let isSecure = scheme == Self.secureScheme || scheme == HTTPTarget.secureScheme
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        guard let endpoint = HTTPTarget(behindScheme: rest, isSecure: isSecure) else { throw malformed }
        self.endpoint = endpoint
        let fragment = rest.drop { $0 != UInt8(ascii: "#") }.dropFirst()
        guard !fragment.isEmpty else {
            fingerprint = nil
            return
        }
        guard isSecure, let fingerprint = PinnedCertificate.parse(fragment) else {
            throw HelioError(
                .invalidArgument,
                "What stands behind # in a whips:// address has to be sha256= and the 64 digits of a certificate's "
                    + "fingerprint, with or without colons; whip:// has none.")
        }
        self.fingerprint = fingerprint
    }

    /// The accepted schemes. HTTP's own schemes mean WHIP, too, as no other kind of broadcast uses HTTP.
    private static let schemes = [scheme, secureScheme, HTTPTarget.scheme, HTTPTarget.secureScheme]

    package static func isScheme(_ text: String) -> Bool { schemes.contains(where: text.begins) }
}

extension WHIPAddress: CustomStringConvertible, CustomReflectable {
    /// Scheme, host and port, which are safe to show and log.
    package var description: String {
        (endpoint.isSecure ? Self.secureScheme : Self.scheme) + Authority.text(endpoint.host, port: endpoint.port)
    }
    package var customMirror: Mirror { Mirror(self, children: ["address": description]) }
}
