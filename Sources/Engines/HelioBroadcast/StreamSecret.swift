package import HelioCore
package import HelioProtection

/// The secret by which a server authenticates a sender: a stream key for RTMP, or a bearer token for WHIP. No
/// description contains the secret.
package struct StreamSecret: Sendable, Equatable {
    /// The valid lengths of an RTMP stream key, in bytes.
    package static let keySizes = 1...1024
    /// The valid lengths of a WHIP token, in bytes.
    package static let tokenSizes = 1...4096

    private let secret: SecretBytes

    /// Makes an RTMP stream key. Throws `invalidArgument` if it is empty, longer than 1024 bytes, or contains spaces,
    /// line ends or non-ASCII characters.
    package init(key: SecretBytes) throws(HelioError) {
        guard Self.keySizes.contains(key.count), key.isVisibleASCII else {
            throw HelioError(
                .invalidArgument, "A stream key has 1 to 1024 signs, without spaces or ends of lines in it.")
        }
        secret = key
    }

    /// Makes a bearer token for WHIP (RFC 9725 section 4.7). Throws `invalidArgument` if it is empty, longer than 4096
    /// bytes, or contains spaces, line ends or non-ASCII characters.
    package init(token: SecretBytes) throws(HelioError) {
        guard Self.tokenSizes.contains(token.count), token.isVisibleASCII else {
            throw HelioError(
                .invalidArgument, "A WHIP token has 1 to 4096 signs, without spaces or ends of lines in it.")
        }
        secret = token
    }

    /// The text that is sent to the server.
    var text: String { secret.text }

    /// Returns true if `text` equals the secret.
    package func isSaid(_ text: String) -> Bool { secret == SecretBytes(Array(text.utf8)) }
}

extension StreamSecret: CustomStringConvertible, CustomReflectable {
    package var description: String { secret.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
