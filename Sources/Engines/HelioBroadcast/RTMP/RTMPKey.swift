package import HelioCore
package import HelioProtection

/// A stream's key, by which a server identifies the publisher and the stream. No description contains it.
package struct RTMPKey: Sendable, Equatable {
    /// The valid lengths of a key, in bytes.
    package static let sizes = 1...1024

    private let secret: SecretBytes

    /// Makes a key. Throws `invalidArgument` if it is empty, longer than 1024 bytes, or contains spaces, line ends or
    /// non-ASCII characters.
    package init(_ secret: SecretBytes) throws(HelioError) {
        guard Self.sizes.contains(secret.count), secret.isVisibleASCII else {
            throw HelioError(
                .invalidArgument,
                "A stream key has 1 to 1024 signs, without spaces or ends of lines in it.")
        }
        self.secret = secret
    }

    /// The text that is sent to the server.
    var text: String { secret.text }

    /// Returns true if a publisher has given this key.
    package func isSaid(_ text: String) -> Bool { secret == SecretBytes(Array(text.utf8)) }
}

extension RTMPKey: CustomStringConvertible, CustomReflectable {
    package var description: String { secret.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
