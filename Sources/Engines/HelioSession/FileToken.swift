import HelioCore
import HelioProtection

/// A viewer's random identity for file transfer, which stays the same while its program runs: an interrupted transfer
/// continues when the viewer returns, with any link or ticket. It is a secret, sent only inside the encrypted
/// connection.
package struct FileToken: Hashable, Sendable {
    private static let digits = 32

    package let text: String

    package init(using generator: inout some RandomNumberGenerator) {
        text = Hexadecimal.text(SecretBytes(count: Self.digits / 2, using: &generator).bytes)
    }

    /// Parses a token; `nil` if it is malformed.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text, limit: Self.digits / 2), bytes.count == Self.digits / 2,
            Hexadecimal.text(bytes) == text
        else { return nil }
        self.text = text
    }
}
