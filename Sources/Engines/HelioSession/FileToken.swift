import HelioCore
import HelioProtection

/// What a viewer calls itself towards its host where files are concerned, for as long as its program runs: a transfer
/// that was cut goes on with the viewer that comes back, by whatever link or ticket. Drawn at random; a secret, as it goes
/// inside the encrypted connection alone.
package struct FileToken: Hashable, Sendable {
    private static let digits = 32

    package let text: String

    package init(using generator: inout some RandomNumberGenerator) {
        text = Hexadecimal.text(SecretBytes(count: Self.digits / 2, using: &generator).bytes)
    }

    /// `nil` for what is none.
    package init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text, limit: Self.digits / 2), bytes.count == Self.digits / 2,
            Hexadecimal.text(bytes) == text
        else { return nil }
        self.text = text
    }
}
