package import HelioCore
package import HelioProtection

/// A stream's key, by which a server knows who publishes what. No description holds it.
package struct RTMPKey: Sendable, Equatable {
    /// The bytes of a key.
    package static let sizes = 1...1024

    private let secret: SecretBytes

    /// Throws `invalidArgument` where it is empty, longer than 1024 bytes, or has signs in it that no key has: spaces,
    /// ends of lines, what is not ASCII.
    package init(_ secret: SecretBytes) throws(HelioError) {
        guard Self.sizes.contains(secret.count), secret.isVisibleASCII else {
            throw HelioError(
                .invalidArgument,
                "A stream key has 1 to 1024 signs, without spaces or ends of lines in it.")
        }
        self.secret = secret
    }

    /// What is said to the server.
    var text: String { secret.text }

    func isSaid(_ text: String) -> Bool { secret == SecretBytes(Array(text.utf8)) }
}

extension RTMPKey: CustomStringConvertible, CustomReflectable {
    package var description: String { secret.description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
