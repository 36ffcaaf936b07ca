package import HelioCore
package import HelioProtection

/// The bearer token by which a WHIP server identifies the sender (RFC 9725 section 4.7). No description contains it.
package struct WHIPToken: Sendable, Equatable {
    /// The valid lengths of a token, in bytes.
    package static let sizes = 1...4096

    private let secret: SecretBytes

    /// Makes a token. Throws `invalidArgument` if it is empty, longer than 4096 bytes, or contains spaces, line ends or
    /// non-ASCII characters.
    package init(_ secret: SecretBytes) throws(HelioError) {
        guard Self.sizes.contains(secret.count), secret.isVisibleASCII else {
            throw HelioError(
                .invalidArgument,
                "A WHIP token has 1 to 4096 signs, without spaces or ends of lines in it.")
        }
        self.secret = secret
    }

    /// The value of the `Authorization` field (RFC 6750 section 2.1).
    var authorization: String { "Bearer " + secret.text }
}

extension WHIPToken: CustomStringConvertible, CustomReflectable {
    package var description: String { secret.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
